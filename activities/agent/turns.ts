import { type AbandonTurn, abandonTurn } from '../../domain/agent/abandon-turn.js';
import { prepareRound, type RoundRef } from '../../domain/agent/prepare-round.js';
import { recordAnswer } from '../../domain/agent/store-model-answer.js';
import type { ToolCallRef } from '../../domain/agent/tool-calls/call-place.js';
import { advanceAssignmentIn } from '../../domain/assignments/advance-assignment.js';
import { holdTurn } from '../../domain/chat-state/held-turn.js';
import { advanceChat, advanceChatIn } from '../../domain/conversations/chats/advance-chat.js';
import { ProviderUnusable } from '../../providers/failures.js';
import type { RoundResult, ToolOutcome } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { maxRetryMs } from '../kernel/retry-later.js';
import { withHeartbeat } from '../kernel/with-heartbeat.js';
import { askModel, noModel } from './ask-model.js';
import { ImageMemory } from './image-memory.js';
import { ReplyDraft } from './reply-draft.js';
import { runToolCall } from './run-tool-call.js';

/** A round is identified by turn and number, a tool call by its id, so that a repetition finds the stored result. */
export function turnActivities(dependencies: ActivityDependencies) {
  const images = new ImageMemory();
  return {
    /** The last round of a turn also determines the run's next step, in the transaction that stores the answer. */
    takeTurnRound: (ref: RoundRef): Promise<RoundResult> => askAndRecord(dependencies, images, ref),

    runTool: (ref: ToolCallRef): Promise<ToolOutcome> => runToolCall(dependencies, ref),

    abandonTurn: (input: AbandonTurn): Promise<void> => abandonTurn(dependencies, input),
  };
}

async function askAndRecord(
  dependencies: ActivityDependencies,
  images: ImageMemory,
  ref: RoundRef,
): Promise<RoundResult> {
  const { chatId, assignmentId } = ref;
  const prepared = await prepareRound(dependencies, ref);
  if (prepared.kind === 'settled') return withNextOfChat(dependencies, ref, prepared.result);
  if (prepared.kind === 'no_model') throw noModel();
  const draft = new ReplyDraft(dependencies.live, ref, prepared);
  try {
    const answer = await withHeartbeat(() => askModel(dependencies, images, ref, prepared, draft));
    draft.flush();
    const result = await recordAnswer(dependencies, ref, prepared, answer, (tx, now) =>
      assignmentId === undefined
        ? advanceChatIn(dependencies, tx, chatId, now)
        : advanceAssignmentIn(dependencies, tx, assignmentId, now),
    );
    draft.settle(result.kind);
    return result;
  } catch (error) {
    draft.settle('failed');
    if (!(error instanceof ProviderUnusable)) throw error;
    // The turn ends and stays due: its run determines when to take it again.
    await holdTurn(dependencies, ref, error.details.retryAfterMs ?? maxRetryMs);
    return withNextOfChat(dependencies, ref, { kind: 'nothing_to_say' });
  }
}

/** The next step of a chat without an assignment, where no answer was stored. The run of an assignment asks for its own. */
async function withNextOfChat(
  dependencies: ActivityDependencies,
  ref: RoundRef,
  result: RoundResult,
): Promise<RoundResult> {
  if (result.kind === 'tools' || result.kind === 'interrupted' || ref.assignmentId !== undefined)
    return result;
  return { ...result, next: await advanceChat(dependencies, ref) };
}
