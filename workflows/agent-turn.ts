import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  log,
  proxyActivities,
  uuid4,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { type ChatRef, taskQueues } from './contracts/runs.js';
import { type AssignmentStep, type ChatStep, maxRounds } from './contracts/steps.js';
import type { LocalStepQueue } from './local-step-queue.js';
import { Place } from './place.js';

const maximumInterruptions = 3;

const turnActivities = (fairnessKey: string) =>
  proxyActivities<Pick<Activities, 'takeTurnRound' | 'runTool'>>({
    taskQueue: taskQueues.turns,
    startToCloseTimeout: '2m',
    // Each heartbeat is a billed Action; noticing a dead worker some seconds later is the price.
    heartbeatTimeout: '25s',
    scheduleToCloseTimeout: '20m',
    retry: { initialInterval: '1s', maximumInterval: '30s' },
    priority: { fairnessKey },
  });

/** The chat that a turn answers. */
export interface Turn {
  chat: ChatRef & { assignmentId?: number };
  chatVersion: number;
  /** Of an assignment: where it is, which tools may change. */
  place?: Place;
}

/** How a turn ended. */
export interface TurnEnd {
  outcome: 'replied' | 'nothing_to_say' | 'superseded' | 'moved_on' | 'abandoned';
  /** The next step of the run, if the last round has found it. */
  next?: AssignmentStep | ChatStep | undefined;
}

/**
 * Runs one turn of the agent: model call, tool calls, model call, … until it has replied or has nothing to say. A reply
 * that newer messages supersede is dropped, and the turn continues with those: three times, then a new turn begins.
 */
export async function runAgentTurn(turn: Turn, steps: LocalStepQueue): Promise<TurnEnd> {
  const { chat, chatVersion, place = new Place() } = turn;
  const turnUuid = uuid4();
  const { takeTurnRound, runTool } = turnActivities(chat.workspaceUuid);
  const { workspaceId, chatId, assignmentId } = chat;
  const ref = { workspaceId, chatId, ...(assignmentId === undefined ? {} : { assignmentId }) };
  let interruptions = 0;
  let reason: 'no_model' | 'turn_failed' = 'turn_failed';

  try {
    for (let round = 1; round <= maxRounds; round += 1) {
      const result = await takeTurnRound.executeWithOptions({ summary: `Ask the model${place.inWords()}` }, [
        { ...ref, turnUuid, round, mustAnswer: round === maxRounds },
      ]);
      if (result.kind === 'replied' || result.kind === 'nothing_to_say') {
        return { outcome: result.kind, next: result.next };
      }
      if (result.kind === 'interrupted') {
        interruptions += 1;
        if (interruptions > maximumInterruptions) return { outcome: 'superseded' };
        continue;
      }
      let endsTurn = false;
      for (const [index, toolCallId] of result.toolCallIds.entries()) {
        const tool = result.toolNames?.[index] ?? 'a tool';
        const outcome = await runTool.executeWithOptions({ summary: `Run ${tool}${place.inWords()}` }, [
          { workspaceId, chatId, toolCallId },
        ]);
        endsTurn ||= outcome.endsTurn;
        place.taskName = outcome.taskName ?? place.taskName;
      }
      if (endsTurn) return { outcome: 'moved_on' };
    }
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    log.warn('turn given up', { chatId });
    if (error.cause instanceof ApplicationFailure && error.cause.type === 'model_not_configured') {
      reason = 'no_model';
    }
  }
  const summary = `Hand over to a person${place.inWords()}`;
  await steps.execute('abandonTurn', { workspaceId, chatId, chatVersion, reason }, summary);
  return { outcome: 'abandoned' };
}
