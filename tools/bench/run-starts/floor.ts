import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { runOptions } from '../../../runtime/temporal/run-options.js';

/** A higher concurrency is not faster. */
const atOnce = 40;

/** The floor of starting runs: the SDK's client alone starts the same runs, with its best concurrency. */
export async function startRuns(
  client: Client,
  { count, ...workspace }: { count: number; workspaceId: number; workspaceUuid: string },
): Promise<void> {
  let left = count;
  const startOneAfterTheOther = async () => {
    while (left > 0) {
      left -= 1;
      const input = { ...workspace, assignmentId: 1, chatId: 1, memberId: 1, definitionName: 'Intake' };
      await client.workflow.start(
        'runAssignment',
        runOptions({ runType: 'runAssignment', subject: randomUUID(), input }),
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, startOneAfterTheOther));
}
