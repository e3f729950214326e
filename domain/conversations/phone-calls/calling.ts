import type { StreamTokens } from '../../calls/stream-tokens.js';
import type { ModelCatalogue } from '../../kernel/ai-models/model-catalogue.js';

/** What answers to the carrier need to know of this installation. */
export interface Calling {
  /** The public address of the API, as `https://…/api/v2`. */
  apiUrl: string;
  /** The public address of the streams of calls, as `wss://…/api/v2/call-streams`. */
  streamUrl: string;
  tokens: StreamTokens;
  models: ModelCatalogue;
  /** Whether there is a model that speaks. */
  isAvailable: boolean;
}
