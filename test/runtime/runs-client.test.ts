import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRunsClient, type RunsClient } from '../../runtime/runs-client.js';

const lines: Record<string, unknown>[] = [];
let runs: RunsClient;

beforeAll(() => {
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  // No server listens at this address.
  runs = createRunsClient(
    { temporal: { address: '127.0.0.1:1', namespace: 'default', tls: false } } as Parameters<
      typeof createRunsClient
    >[0],
    logger,
  );
});
afterAll(() => runs.close());

describe('a command whose run cannot be reached', () => {
  it('fails as unavailable, and logs the code of the cause', async () => {
    const run = {
      workspaceId: 1,
      workspaceUuid: randomUUID(),
      assignmentId: 1,
      assignmentUuid: randomUUID(),
      chatId: 1,
      memberId: 1,
      definitionName: 'Doors',
    };

    const asked = runs.cancelAssignment(run, { requestUuid: randomUUID() });

    await expect(asked).rejects.toMatchObject({ kind: 'unavailable', code: 'run_unreachable' });
    expect(lines).toMatchObject([
      {
        workflowId: `assignment-${run.assignmentUuid}`,
        update: 'cancel',
        code: expect.stringMatching(/^grpc_/),
      },
    ]);
  });
});
