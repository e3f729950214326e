import knex from 'knex';
import { expect, it } from 'vitest';
import * as timelines from '../../../db/migrations/0060-timelines.js';
import * as earlierTimelines from '../../../db/migrations/0061-earlier-timelines.js';
import * as deliveriesThatWait from '../../../db/migrations/0099-deliveries-that-wait.js';
import { requestTask } from '../../../domain/assignments/request-task.js';
import { readTimeline } from '../../../domain/assignments/timeline/read-timeline.js';
import { updateAssignment } from '../../../domain/assignments/update-assignment.js';
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

it('places what earlier releases noted among the messages, and what the previous one notes during the upgrade', async () => {
  const { workspace, database } = suite;
  const ended = await walked();
  await updateAssignment(workspace.context(), ended.assignmentId, { status: 'completed' });
  const active = await walked();

  const migrator = knex({ client: 'pg', connection: database.migratorUrl });
  await deliveriesThatWait.down(migrator);
  await earlierTimelines.down(migrator);
  await timelines.down(migrator);
  const earlier = await queryOnce(database.superuserUrl, 'select entered_by from assignment_task_visits');
  expect(earlier).toEqual(
    Array.from({ length: 4 }, (_, index) => ({ entered_by: ['automatic', 'operator'][index % 2] })),
  );
  await timelines.up(migrator);

  // The previous release selects and inserts by the old name.
  await queryOnce(
    database.appUrl,
    `with place as materialized (select set_config('app.workspace_id', '${workspace.workspaceId}', false))
     insert into assignment_task_visits (workspace_id, assignment_id, assignment_task_id, from_assignment_task_id,
       entered_by, request_uuid)
     select current_workspace(), ${active.assignmentId}, ${(await active.task('Talk')).id}, null, 'member',
       gen_random_uuid()
     from place returning assignment_task_visits.id as "id"`,
  );
  const byOldName = await queryOnce<{ entered_by: string }>(
    database.superuserUrl,
    'select entered_by from assignment_task_visits order by id',
  );
  expect(byOldName.map(({ entered_by }) => entered_by)).toEqual([
    ...['automatic', 'operator', 'automatic', 'operator'],
    'member',
  ]);
  await earlierTimelines.up(migrator);
  await deliveriesThatWait.up(migrator);
  await migrator.destroy();

  expect(await told(ended)).toEqual(['entered Talk', 'One', 'entered Rest', 'Two', 'concluded Rest']);
  expect(await told(active)).toEqual(['entered Talk', 'One', 'entered Rest', 'Two', 'entered Talk']);
});
