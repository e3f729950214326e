import { ApplicationFailure, cancellationSignal } from '@temporalio/activity';
import { type AbandonTurn, abandonTurn } from '../../domain/agent/abandon-turn.js';
import { type Asked, prepareRound, type RoundRef } from '../../domain/agent/prepare-round.js';
import { recordAnswer } from '../../domain/agent/record-answer.js';
import { runTool, type ToolCallRef } from '../../domain/agent/run-tool.js';
import { holdTurn } from '../../domain/chat-state/held-turn.js';
import { advanceChat } from '../../domain/conversations/chats/advance-chat.js';
import { modelName } from '../../domain/kernel/ai-models/entries.js';
import { ProviderBusy, ProviderUnusable } from '../../providers/failures.js';
import {
  type ChatModelAnswer,
  type ChatModelRequest,
  ModelRefused,
} from '../../providers/model/chat-model.js';
import type { RoundResult, ToolOutcome } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { longestRetryMs, retryLater } from '../kernel/retry-later.js';
import { ImageMemory } from './image-memory.js';
import { ReplyDraft } from './reply-draft.js';
import { settleFailedCall } from './settle-failed-call.js';
import { bytesOfImages, withImages, withoutImages } from './show-images.js';
import { whileBeating } from './while-beating.js';

/** A round is identified by turn and number, a tool call by its id, so that a repetition finds the stored result. */
export function turnActivities(dependencies: ActivityDependencies) {
  const images = new ImageMemory();
  return {
    /** The last round of a turn in a chat without an assignment also determines the run's next step. */
    async takeTurnRound(ref: RoundRef): Promise<RoundResult> {
      const result = await askAndRecord(dependencies, images, ref);
      if (result.kind === 'tools' || result.kind === 'interrupted') return result;
      if (ref.assignmentId !== undefined) return result;
      return { ...result, next: await advanceChat(dependencies, ref) };
    },

    runTool: (ref: ToolCallRef): Promise<ToolOutcome> => runTool(dependencies, ref),

    abandonTurn: (input: AbandonTurn): Promise<void> => abandonTurn(dependencies, input),
  };
}

async function askAndRecord(
  dependencies: ActivityDependencies,
  images: ImageMemory,
  ref: RoundRef,
): Promise<RoundResult> {
  const prepared = await prepareRound(dependencies, ref);
  if (prepared.kind === 'settled') return prepared.result;
  if (prepared.kind === 'no_model') throw noModel();
  const draft = new ReplyDraft(dependencies.live, ref, prepared);
  try {
    const answer = await whileBeating(() => askAndSettle(dependencies, images, ref, prepared, draft));
    draft.flush();
    const result = await recordAnswer(dependencies, ref, prepared, answer);
    draft.settle(result.kind);
    return result;
  } catch (error) {
    draft.settle('failed');
    if (!(error instanceof ProviderUnusable)) throw error;
    // The turn ends and stays due: its run determines when to take it again.
    await holdTurn(dependencies, ref, error.details.retryAfterMs ?? longestRetryMs);
    return { kind: 'nothing_to_say' };
  }
}

/** `ask`, where a call without an answer is booked, or forgotten if it cost nothing. */
async function askAndSettle(
  dependencies: ActivityDependencies,
  images: ImageMemory,
  { workspaceId }: RoundRef,
  prepared: Asked,
  draft: ReplyDraft,
): Promise<ChatModelAnswer> {
  try {
    return await ask(dependencies, images, prepared, draft);
  } catch (error) {
    await settleFailedCall(dependencies, { workspaceId, callId: prepared.callId }, error, draft.length);
    if (error instanceof ModelRefused) {
      throw ApplicationFailure.nonRetryable('the model refused the request', `model_${error.code}`);
    }
    throw error instanceof ProviderBusy ? retryLater(error) : error;
  }
}

async function ask(
  { model, storage }: ActivityDependencies,
  images: ImageMemory,
  prepared: Asked,
  draft: ReplyDraft,
): Promise<ChatModelAnswer> {
  if (model === undefined) throw noModel();
  const complete = (messages: ChatModelRequest['messages']) =>
    model.complete({
      model: modelName(prepared.modelId),
      messages,
      tools: prepared.tools,
      config: prepared.modelConfig,
      signal: cancellationSignal(),
      ...(draft.isTold ? { onToken: (text: string) => draft.add(text) } : {}),
    });
  const { messages } = prepared;
  const bytes = bytesOfImages(messages);
  if (bytes === 0) return complete(await withoutImages(messages));
  return images
    .hold(bytes, cancellationSignal(), async () => complete(await withImages(storage, messages)))
    .catch(async (error) => {
      // An image that the model cannot read would otherwise end every later turn of the chat as well.
      if (!(error instanceof ModelRefused)) throw error;
      return complete(await withoutImages(messages));
    });
}

function noModel(): ApplicationFailure {
  return ApplicationFailure.nonRetryable('no model is configured', 'model_not_configured');
}
