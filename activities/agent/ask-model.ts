import { ApplicationFailure, cancellationSignal } from '@temporalio/activity';
import type { Asked } from '../../domain/agent/prepare-round.js';
import { modelName } from '../../domain/kernel/ai-models/entries.js';
import { ProviderBusy } from '../../providers/failures.js';
import {
  type ChatModelAnswer,
  type ChatModelRequest,
  ModelRefused,
} from '../../providers/model/chat-model.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { retryLater } from '../kernel/retry-later.js';
import type { ImageMemory } from './image-memory.js';
import type { ReplyDraft } from './reply-draft.js';
import { type SentCall, settleFailedCall } from './settle-failed-call.js';
import { bytesOfImages, withImages, withoutImages } from './show-images.js';

type Dependencies = Pick<ActivityDependencies, 'db' | 'clock' | 'logger' | 'model' | 'storage'>;
type Draft = Pick<ReplyDraft, 'isTold' | 'length' | 'add'>;

/**
 * Asks the model for the answer of a round. A call without an answer is booked, or forgotten if it cost nothing.
 * @throws ApplicationFailure when the model is busy or refuses, ProviderUnusable
 */
export async function askModel(
  dependencies: Dependencies,
  images: ImageMemory,
  { workspaceId }: { workspaceId: number },
  prepared: Asked,
  draft: Draft,
): Promise<ChatModelAnswer> {
  const call = { workspaceId, callId: prepared.callId, isSent: false };
  try {
    return await ask(dependencies, images, prepared, draft, call);
  } catch (error) {
    await settleFailedCall(dependencies, call, error, draft.length);
    if (error instanceof ModelRefused) {
      throw ApplicationFailure.nonRetryable('the model refused the request', `model_${error.code}`);
    }
    throw error instanceof ProviderBusy ? retryLater(error) : error;
  }
}

async function ask(
  { model, storage }: Dependencies,
  images: ImageMemory,
  prepared: Asked,
  draft: Draft,
  call: SentCall,
): Promise<ChatModelAnswer> {
  if (model === undefined) throw noModel();
  const complete = (messages: ChatModelRequest['messages']) => {
    const signal = cancellationSignal();
    signal.throwIfAborted();
    call.isSent = true;
    return model.complete({
      model: modelName(prepared.modelId),
      messages,
      tools: prepared.tools,
      config: prepared.modelConfig,
      signal,
      ...(draft.isTold ? { onToken: (text: string) => draft.add(text) } : {}),
    });
  };
  const { messages } = prepared;
  const bytes = bytesOfImages(messages);
  if (bytes === 0) return complete(await withoutImages(messages));
  return images
    .hold(bytes, cancellationSignal(), async () => complete(await withImages(storage, messages)))
    .catch(async (error) => {
      // An image that the model cannot read would otherwise end every later turn of the chat as well.
      if (!(error instanceof ModelRefused)) throw error;
      // The refusal costs nothing.
      call.isSent = false;
      return complete(await withoutImages(messages));
    });
}

/** Ends a turn for which no chat model is configured. */
export function noModel(): ApplicationFailure {
  return ApplicationFailure.nonRetryable('no model is configured', 'model_not_configured');
}
