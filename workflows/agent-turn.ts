import { ActivityFailure, isCancellation, log, proxyActivities, uuid4 } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { type ChatRef, taskQueues } from './contracts/runs.js';
import { databaseStep } from './database-step.js';

const maximumRounds = 12;
const maximumInterruptions = 3;

const turnActivities = (fairnessKey: string) =>
  proxyActivities<Pick<Activities, 'takeTurnRound' | 'runTool'>>({
    taskQueue: taskQueues.turns,
    startToCloseTimeout: '2m',
    heartbeatTimeout: '8s',
    scheduleToCloseTimeout: '20m',
    retry: { initialInterval: '1s', maximumInterval: '30s' },
    priority: { fairnessKey },
  });

/**
 * One turn of the agent: model call, tool calls, model call, … until it has answered, or has nothing to say.
 *
 * What each round and each tool call did is in the database under the turn's uuid and the tool call's id, so a
 * worker that dies in the middle repeats nothing that was seen from outside. A text that something new has
 * overtaken is dropped by `takeTurnRound`, and the turn goes on with what is new: three times, then it makes
 * room for a turn of its own.
 */
export async function runAgentTurn(
  chat: ChatRef & { assignmentId?: number },
  chatVersion: number,
  taskName?: string,
): Promise<void> {
  const turnUuid = uuid4();
  const { takeTurnRound, runTool } = turnActivities(chat.workspaceUuid);
  const place = taskName === undefined ? '' : ` in “${taskName}”`;
  const { workspaceId, chatId, assignmentId } = chat;
  const ref = { workspaceId, chatId, ...(assignmentId === undefined ? {} : { assignmentId }) };
  let interruptions = 0;

  try {
    for (let round = 1; round <= maximumRounds; round += 1) {
      const result = await takeTurnRound.executeWithOptions({ summary: `Ask the model${place}` }, [
        { ...ref, turnUuid, round, mustAnswer: round === maximumRounds },
      ]);
      if (result.kind === 'replied' || result.kind === 'nothing_to_say') return;
      if (result.kind === 'interrupted') {
        interruptions += 1;
        if (interruptions > maximumInterruptions) return;
        continue;
      }
      let endsTurn = false;
      for (const toolCallId of result.toolCallIds) {
        const outcome = await runTool.executeWithOptions({ summary: `Run a tool${place}` }, [
          { workspaceId, chatId, toolCallId },
        ]);
        endsTurn ||= outcome.endsTurn;
      }
      if (endsTurn) return;
    }
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    log.warn('turn given up', { chatId });
  }
  await databaseStep('abandonTurn', { workspaceId, chatId, chatVersion }, 'Hand over to a person');
}
