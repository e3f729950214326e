import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { taskQueues } from '../../workflows/contracts/runs.js';

/** More at once make it no faster. */
const atOnce = 40;

/** The floor of starting runs: the SDK's client, called as often at once as is good for it. */
export async function startRuns(
  client: Client,
  { count, ...workspace }: { count: number; workspaceId: number; workspaceUuid: string },
): Promise<void> {
  let left = count;
  const startOneAfterTheOther = async () => {
    while (left > 0) {
      left -= 1;
      await client.workflow.start('runAssignment', {
        workflowId: `assignment-${randomUUID()}`,
        taskQueue: taskQueues.runs,
        args: [{ ...workspace, assignmentId: 1, chatId: 1, memberId: 1, definitionName: 'Intake' }],
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, startOneAfterTheOther));
}
