import { beforeAll, expect, it } from 'vitest';
import { pokeRunsAwaitingMembers, pokeRunsAwaitingRecords } from '../../../db/assignments/awaiting-runs.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { connect } from '../../support/db/connect.js';
import { explaining } from '../../support/db/explained.js';
import { conversationTasks } from '../../support/workspace/definitions.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace();
let staged: StagedAssignment;

/** Active assignments of 20,000 other members of the same workspace, each in a task of its own. */
beforeAll(async () => {
  staged = await stageAssignment(suite.workspace, conversationTasks());
  const client = await connect(suite.database.superuserUrl);
  try {
    await client.query('set session_replication_role = replica');
    await client.query(
      `insert into assignment_tasks (id, workspace_id, uuid, assignment_id, task_id) overriding system value
       select t.id + 100000 + i, t.workspace_id, gen_random_uuid(), a.id + 100000 + i, t.task_id
       from assignments a join assignment_tasks t on t.assignment_id = a.id and t.parent_id is null,
         generate_series(1, 20000) i
       where a.id = $1`,
      [staged.assignmentId],
    );
    await client.query(
      `insert into assignments (id, workspace_id, uuid, member_id, definition_id, revision_id, chat_id, status,
         current_task_id) overriding system value
       select a.id + 100000 + i, a.workspace_id, gen_random_uuid(), a.member_id + 100000 + i, a.definition_id,
         a.revision_id, a.chat_id + 100000 + i, 'active', t.id + 100000 + i
       from assignments a join assignment_tasks t on t.assignment_id = a.id and t.parent_id is null,
         generate_series(1, 20000) i
       where a.id = $1`,
      [staged.assignmentId],
    );
    await client.query('analyze assignments, assignment_tasks, workflow_tasks, chats');
  } finally {
    await client.end();
  }
}, 300_000);

it.each([
  ['records', pokeRunsAwaitingRecords],
  ['a member', pokeRunsAwaitingMembers],
])('a change of %s reads the assignments of the member alone', async (_what, poke) => {
  const { workspaceId, member } = suite.workspace;

  const plans = await explaining(
    suite.database.appUrl,
    workspaceId,
    (db) => db.inWorkspace(workspaceId, (tx) => poke(tx, [member.memberId])),
    /^insert into outbox/,
  );

  expect(plans).toHaveLength(1);
  expect(plans.flatMap(({ scans }) => scans).join(', ')).not.toMatch(/Seq Scan assignment/);
  expect(plans[0]?.rows).toBeLessThan(100);
});
