import type { ModelUsage } from '../../providers/model/chat-model.js';
import { soundMs } from '../sound/sound-ms.js';
import type { ResponseUsage } from './ports.js';

/** Tokens that a model makes for a second of sound. */
const tokensPerSecond = 20;
const charactersPerToken = 4;

/** What a response has cost whose end nobody reports, because its session is lost or the call has ended. */
export class UsageEstimate {
  #read: Pick<ModelUsage, 'promptTokens' | 'cachedTokens' | 'audioInputTokens'> = nothing;
  #responseId: string | undefined;
  #soundMs = 0;

  /** @param settings with which a session begins: all that its first response reads */
  opened(settings: object): void {
    const promptTokens = Math.ceil(JSON.stringify(settings).length / charactersPerToken);
    this.#read = { ...nothing, promptTokens };
  }

  /** @param payload sound in base64 */
  spoke(responseId: string, payload: string): void {
    if (this.#responseId !== responseId) this.#soundMs = 0;
    this.#responseId = responseId;
    this.#soundMs += soundMs(payload);
  }

  /** The next response reads what this one has read and made. */
  ended({ totalTokens, cachedTokens, audioInputTokens = 0, audioOutputTokens = 0 }: ModelUsage): void {
    this.#read = {
      promptTokens: totalTokens,
      cachedTokens,
      audioInputTokens: audioInputTokens + audioOutputTokens,
    };
  }

  of(responseId: string): ResponseUsage {
    const ms = this.#responseId === responseId ? this.#soundMs : 0;
    const audioOutputTokens = Math.ceil((ms / 1_000) * tokensPerSecond);
    const { promptTokens } = this.#read;
    return {
      ...this.#read,
      responseId,
      completionTokens: audioOutputTokens,
      audioOutputTokens,
      totalTokens: promptTokens + audioOutputTokens,
      isEstimated: true,
    };
  }
}

const nothing = { promptTokens: 0, cachedTokens: 0, audioInputTokens: 0 };
