import { modelName } from '../domain/kernel/ai-models/entries.js';
import { type AskModel, NoAnswer } from '../domain/simulation/model.js';
import { ProviderBusy, ProviderFailure } from '../providers/failures.js';
import { type ChatModel, type ModelMessage, mayHaveCost } from '../providers/model/chat-model.js';

/** The configured model, as simulations ask it. @throws NoAnswer */
export function simulatedModel(model: ChatModel): AskModel {
  return async (asked, signal) => {
    const isSent = !signal.aborted;
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
      throw new NoAnswer(Math.max(5, Math.ceil(waitMs / 1_000)), isSent && mayHaveCost(error));
    }
  };
}
