import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { selectAssignmentTasks } from '../../../db/assignments/assignment-tasks.js';
import { PipelinedConnection } from '../../../db/pool/pipelined-connection.js';
import { statements, waitingTasks } from '../../../tools/bench/select-task/waiting-tasks.js';
import { startSystem, type TestSystem } from '../../support/system/system.js';
import { addAssignment, createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';

let system: TestSystem;
let workspace: TestWorkspace;

beforeAll(async () => {
  // No relay, because it has statements of its own; the first select starts the run.
  system = await startSystem({ relay: false });
  workspace = await createWorkspace(system.database);
});
afterAll(() => system.stop());

/** Statements that end a transaction or notify chat followers afterwards. Those that begin one are not recorded. */
const besideTheWork = /^commit$|app\.changed_chats|pg_notify/;

/** Every statement that this process executes during `work`. */
async function askedDuring(work: () => Promise<void>): Promise<string[]> {
  const ask = vi.spyOn(PipelinedConnection.prototype, 'execute');
  await work();
  const asked = ask.mock.calls.map(([{ text }]) => text);
  ask.mockRestore();
  return asked.filter((text) => !besideTheWork.test(text));
}

it('executes as many statements for a select as the bench’s floor assumes', async () => {
  const { assignment } = await addAssignment(workspace, { rootTask: waitingTasks });
  const rows = await system.database.inWorkspace(workspace.workspaceId, (tx) =>
    selectAssignmentTasks(tx, assignment.id),
  );
  const [one, other] = rows.filter(({ parentId }) => parentId !== null).map(({ id }) => id);
  const select = async (taskId: number | undefined) => {
    const path = workspace.path(`/assignments/${assignment.id}/tasks/${taskId}/select`);
    const answer = await system.api.request('PUT', path, { apiKey: workspace.admin.apiKey });
    expect(answer.status).toBe(200);
  };
  await select(one);
  const asked = await askedDuring(() => select(other));
  expect(asked, asked.join('\n')).toHaveLength(statements);
});
