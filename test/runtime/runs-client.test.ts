import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRunsClient, type RunsClient } from '../../runtime/runs-client.js';

const lines: Record<string, unknown>[] = [];
let runs: RunsClient;

beforeAll(() => {
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  // No server listens at this address.
  runs = createRunsClient({ temporal: { address: '127.0.0.1:1', namespace: 'default', tls: false } }, logger);
});
afterAll(() => runs.close());

it('a command whose run cannot be reached fails as unavailable, and logs the code of the cause', async () => {
  const [workspaceUuid, assignmentUuid] = [randomUUID(), randomUUID()];
  const ids = { workspaceId: 1, workspaceUuid, assignmentId: 1, assignmentUuid, chatId: 1, memberId: 1 };
  const asked = runs.cancelAssignment({ ...ids, definitionName: 'Doors' }, { requestUuid: randomUUID() });
  await expect(asked).rejects.toMatchObject({ kind: 'unavailable', code: 'run_unreachable' });
  const code = expect.stringMatching(/^grpc_/);
  expect(lines).toMatchObject([{ workflowId: `assignment-${assignmentUuid}`, update: 'cancel', code }]);
});

it('a summary whose run cannot be reached fails as unavailable', async () => {
  const [workspaceUuid, requestUuid] = [randomUUID(), randomUUID()];
  const ids = { workspaceId: 1, workspaceUuid, chatId: 1, memberId: 1 };
  const asked = runs.summarizeChat({ ...ids, requestUuid, updateLabels: false });
  await expect(asked).rejects.toMatchObject({ kind: 'unavailable', code: 'run_unreachable' });
  expect(lines.at(-1)).toMatchObject({ workflowId: `summary-${requestUuid}` });
});
