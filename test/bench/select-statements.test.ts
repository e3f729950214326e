import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { statements } from '../../bench/select-task/statements.js';
import { waitingTasks } from '../../bench/select-task/waiting-tasks.js';
import { listAssignmentTasks } from '../../db/queries/assignment-tasks.js';
import { addAssignment, createWorkspace, type TestWorkspace } from '../support/factories.js';
import { startSystem, type TestSystem } from '../support/system.js';

let system: TestSystem;
let workspace: TestWorkspace;

beforeAll(async () => {
  // No relay: it has statements of its own. The run is started by the first select.
  system = await startSystem({ relay: false });
  workspace = await createWorkspace(system.database);
});
afterAll(() => system.stop());

/** Begins or ends a transaction, or tells readers of chats what is new after the answer. */
const besideTheWork = /^BEGIN|COMMIT;?$|pg_notify/;

/** Every statement that this process sends while `work` goes on. */
async function sentDuring(work: () => Promise<void>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  const calls = query.mock.calls as unknown as [string | { text: string }][];
  query.mockRestore();
  return calls
    .map(([given]) => (typeof given === 'string' ? given : given.text))
    .filter((text) => !besideTheWork.test(text));
}

it('asks as many statements of the floor as a select of the service sends', async () => {
  const { assignment } = await addAssignment(workspace, { rootTask: waitingTasks });
  const rows = await system.database.inWorkspace(workspace.workspaceId, (tx) =>
    listAssignmentTasks(tx, [assignment.id]),
  );
  const [one, other] = rows.filter(({ parentId }) => parentId !== null).map(({ id }) => id);
  const select = async (taskId: number | undefined) => {
    const path = workspace.path(`/assignments/${assignment.id}/tasks/${taskId}/select`);
    const answer = await system.api.request('PUT', path, { apiKey: workspace.admin.apiKey });
    expect(answer.status).toBe(200);
  };
  await select(one);

  const sent = await sentDuring(() => select(other));

  expect(sent, sent.join('\n')).toHaveLength(statements);
});
