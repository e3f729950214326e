import { describe, expect, it } from 'vitest';
import { countStanding, countVisited } from '../../../../db/assignments/standing-counts.js';
import { createAssignment } from '../../../../domain/assignments/create-assignment.js';
import type { RevisionTask } from '../../../../domain/definitions/revision-rules/types.js';
import { activateRevision } from '../../../../domain/definitions/workflow-revisions/activate-revision.js';
import { createRevision } from '../../../../domain/definitions/workflow-revisions/create-revision.js';
import { publishRevision } from '../../../../domain/definitions/workflow-revisions/publish-revision.js';
import { createDataType } from '../../../../domain/records/data-types/create-data-type.js';
import { deleteDataType } from '../../../../domain/records/data-types/delete-data-type.js';
import { connect } from '../../../support/db/connect.js';
import { explaining } from '../../../support/db/explained.js';
import {
  type PublishedDefinition,
  publishDefinition,
  publishUnchecked,
} from '../../../support/workspace/definitions.js';
import { addMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const context = () => suite.workspace.context();
const askUuid = '0b5c2b4e-1f57-4f0a-9a5e-6d3a1c9f7e21';
const asking = (uuid?: string): RevisionTask => ({
  name: 'Ask',
  taskType: 'conversation',
  abilities: [{ abilityType: 'conclude' }],
  ...(uuid === undefined ? {} : { uuid }),
});

async function begin({ workflowId }: Pick<PublishedDefinition, 'workflowId'>): Promise<void> {
  const { memberId } = await addMember(suite.workspace);
  await createAssignment(context(), { workflowId, memberId });
}

const draft = async ({ workflowId }: PublishedDefinition, rootTask: RevisionTask) =>
  (await createRevision(context(), workflowId, { rootTask })).id;

describe('the impact of a revision', () => {
  it('tells where the active assignments stand, and what publishing and activating mean for them', async () => {
    const first = await publishDefinition(suite.workspace, asking(askUuid));
    await begin(first);
    await begin(first);
    const { workflowId } = first;
    const kept = await draft(first, asking(askUuid));
    const removed = await draft(first, asking());

    const published = await publishRevision(context(), workflowId, kept);
    expect(published.assignments).toEqual({
      newAssignments: {
        revisionId: kept,
        revisionNumber: 2,
        message: 'New assignments begin with revision 2.',
      },
      total: 2,
      totalIsExact: true,
      isCut: false,
      groups: [
        {
          revisionId: first.revisionId,
          revisionNumber: 1,
          taskUuid: askUuid,
          taskName: 'Ask',
          count: 2,
          effect: 'task_kept',
          message:
            '2 active assignments stand in "Ask" of revision 1. They keep revision 1; the task of revision 2 is for new assignments.',
        },
      ],
    });

    await begin(first);
    const later = await publishRevision(context(), workflowId, removed);
    expect(later.assignments.groups.map(({ message }) => message)).toEqual([
      '2 active assignments stand in "Ask" of revision 1. They keep revision 1; revision 3 no longer has this task.',
      '1 active assignment stands in "Ask" of revision 2. It keeps revision 2; revision 3 no longer has this task.',
    ]);

    const back = await activateRevision(context(), workflowId, first.revisionId);
    expect(back.assignments).toMatchObject({
      newAssignments: { revisionId: first.revisionId, revisionNumber: 1 },
      total: 3,
      groups: [
        { effect: 'same_revision', message: expect.stringContaining('Nothing changes for them.') },
        { effect: 'task_kept', count: 1 },
      ],
    });
  });

  it('counts neither concluded assignments nor those of other workflows', async () => {
    const first = await publishDefinition(suite.workspace, asking());
    const other = await publishDefinition(suite.workspace, { name: 'End', taskType: 'conclude' });
    await begin(other);
    await begin(await publishDefinition(suite.workspace, asking()));

    const { assignments } = await publishRevision(context(), other.workflowId, await draft(other, asking()));
    expect(assignments).toMatchObject({ total: 0, totalIsExact: true, groups: [] });
    expect((await publishRevision(context(), first.workflowId, first.revisionId)).assignments.total).toBe(0);
  });

  it('says which revision new assignments begin with, if the published one is not activated', async () => {
    const first = await publishDefinition(suite.workspace, asking());
    const { workflowId } = first;
    const second = await draft(first, asking());

    const { assignments } = await publishRevision(context(), workflowId, second, { activate: false });
    expect(assignments.newAssignments).toMatchObject({ revisionId: first.revisionId, revisionNumber: 1 });
  });
});

it('activating an old revision warns of what publishing would refuse today', async () => {
  const { workflowId, revisionId } = await publishUnchecked(suite.workspace, {
    name: 'Stop',
    taskType: 'message',
    configuration: { text: 'Hello' },
  });

  const { warnings } = await activateRevision(context(), workflowId, revisionId);
  expect(warnings).toEqual([
    {
      code: 'not_publishable',
      task: 'Stop',
      taskUuid: expect.any(String),
      field: '/rootTask',
      message: expect.stringContaining('needs children, autoNext or the ability'),
    },
  ]);
});

it('activating a revision warns of a data type that was deleted since', async () => {
  const fields = [{ slug: 'a', name: 'A', fieldType: 'text' }];
  const values = { name: 'Brief', slug: 'brief', isCollection: false, fields };
  const dataType = await createDataType(context(), values);
  const guarded = { ...asking(), celGuard: 'member.form_data.brief.a == "x"' };
  const { workflowId, revisionId } = await publishDefinition(suite.workspace, {
    ...asking(),
    name: 'Root',
    children: [guarded],
  });
  await deleteDataType(context(), dataType.id);

  const { warnings } = await activateRevision(context(), workflowId, revisionId);
  expect(warnings).toMatchObject([
    { code: 'not_publishable', task: 'Ask', field: '/rootTask/children/0/celGuard' },
  ]);
});

describe('countStanding', () => {
  const active = 12_000;
  const concluded = 20_000;

  it('reads no more assignments than it counts, however many there are', async () => {
    const { workspace, database } = suite;
    const definition = await publishDefinition(workspace, asking());
    await begin(definition);
    await addAlike(definition, active, concluded);

    const { assignments } = await publishRevision(context(), definition.workflowId, definition.revisionId);
    expect(assignments).toMatchObject({ total: 10_000, totalIsExact: false, isCut: false });
    expect(assignments.groups).toMatchObject([
      { count: 10_001, message: expect.stringMatching(/^At least 10001 active assignments stand in "Ask"/) },
    ]);

    const [statement] = await explaining(
      database.appUrl,
      workspace.workspaceId,
      (explained) =>
        explained.inWorkspace(workspace.workspaceId, (tx) => countStanding(tx, definition.workflowId, 1_000)),
      /^with active/,
    );
    expect(statement?.scans).toContainEqual(
      expect.stringMatching(/^Index.* assignments_active_of_definition$/),
    );
    expect(statement?.scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
    // Each assignment with its current task, and a few rows for the one group.
    expect(statement?.rows).toBeLessThan(2 * 1_000 + 20);

    const [newest] = await explaining(
      database.appUrl,
      workspace.workspaceId,
      (explained) =>
        explained.inWorkspace(workspace.workspaceId, (tx) => countVisited(tx, definition.workflowId, 1_000)),
      /^with newest/,
    );
    expect(newest?.scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
    expect(newest?.rows).toBeLessThan(2 * 1_000 + 20);
  });

  /** Adds assignments like the one of a definition, without their chats: no foreign key is checked. */
  async function addAlike({ workflowId }: PublishedDefinition, more: number, ended: number): Promise<void> {
    const superuser = await connect(suite.database.superuserUrl);
    await superuser.query('set session_replication_role = replica');
    await superuser.query(
      `with tasks as (
         insert into assignment_tasks (workspace_id, assignment_id, task_id, visited_at)
         select a.workspace_id, -n, t.task_id, now()
         from assignments a join assignment_tasks t on t.id = a.current_task_id
         cross join generate_series(1, $2::int) n where a.definition_id = $1
         returning id, assignment_id, workspace_id)
       insert into assignments (workspace_id, member_id, definition_id, revision_id, chat_id, status, concluded_at,
         current_task_id)
       select a.workspace_id, a.member_id, a.definition_id, a.revision_id, tasks.assignment_id,
         case when -tasks.assignment_id <= $3::int then 'completed' else 'active' end,
         case when -tasks.assignment_id <= $3::int then now() end, tasks.id
       from tasks join assignments a on a.definition_id = $1`,
      [workflowId, more + ended, ended],
    );
    await superuser.query('analyze assignments, assignment_tasks');
    await superuser.end();
  }
});
