import { expect, it } from 'vitest';
import { requestTask } from '../../../domain/assignments/request-task.js';
import { readTimeline } from '../../../domain/assignments/timeline/read-timeline.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { directRuns } from '../../support/chats/direct-runs.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { queryOnce } from '../../support/db/connect.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();

const tasks: RevisionTask = {
  name: 'Talk',
  taskType: 'conversation',
  prompt: 'Talk.',
  children: [{ name: 'Rest', taskType: 'wait', autoNext: true, configuration: { for: 'P30D' } }],
};

/** Talks, is moved to Rest, and talks. */
async function walked(): Promise<StagedAssignment> {
  const { workspace } = suite;
  const staged = await stageAssignment(workspace, tasks);
  await staged.memberWrites('One');
  const { id } = await staged.task('Rest');
  await requestTask(workspace.context(), directRuns(workspace.database), staged.assignmentId, id);
  await staged.memberWrites('Two');
  return staged;
}

async function told({ assignmentId }: StagedAssignment): Promise<string[]> {
  const all = { limit: 200, order: 'asc' } as const;
  const { items } = await readTimeline(suite.workspace.context(), assignmentId, all);
  return items.map((item) =>
    'message' in item ? String(item.message.content) : `${item.entry.kind} ${item.entry.taskName}`,
  );
}

it('reads and stores entries under the name that the table had first', async () => {
  const { workspace, database } = suite;
  const staged = await walked();

  await queryOnce(
    database.appUrl,
    `with place as materialized (select set_config('app.workspace_id', '${workspace.workspaceId}', false))
     insert into assignment_task_visits (workspace_id, assignment_id, assignment_task_id, from_assignment_task_id,
       entered_by, request_uuid)
     select current_workspace(), ${staged.assignmentId}, ${(await staged.task('Talk')).id}, null, 'member',
       gen_random_uuid()
     from place returning assignment_task_visits.id as "id"`,
  );

  const byOldName = await queryOnce<{ entered_by: string }>(
    database.superuserUrl,
    'select entered_by from assignment_task_visits order by id',
  );
  expect(byOldName.map(({ entered_by }) => entered_by)).toEqual(['automatic', 'operator', 'member']);
  expect(await told(staged)).toEqual([
    'entered Talk',
    'One',
    'entered Rest',
    'timer_set Rest',
    'Two',
    'entered Talk',
  ]);
});
