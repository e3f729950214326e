import { modelName } from '../domain/kernel/ai-models/entries.js';
import { Unavailable } from '../domain/lib/errors.js';
import type { AskModel } from '../domain/simulation/model.js';
import { ProviderBusy, ProviderFailure } from '../providers/failures.js';
import type { ChatModel, ModelMessage } from '../providers/model/chat-model.js';

/** The configured model, as simulations ask it. @throws Unavailable `model_unavailable` */
export function simulatedModel(model: ChatModel): AskModel {
  return async (asked, signal) => {
    try {
      return await model.complete({
        model: modelName(asked.modelId),
        messages: asked.messages as ModelMessage[],
        tools: asked.tools,
        config: asked.modelConfig,
        signal,
      });
    } catch (error) {
      if (!(error instanceof ProviderFailure) && !signal.aborted) throw error;
      const waitMs = error instanceof ProviderBusy ? (error.retryAfterMs ?? 0) : 0;
      throw new Unavailable(
        'The model did not answer.',
        Math.max(5, Math.ceil(waitMs / 1_000)),
        'model_unavailable',
      );
    }
  };
}
