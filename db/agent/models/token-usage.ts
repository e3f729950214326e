import { column, tenantTable } from '../../lib/table.js';

export class TokenUsageModel extends tenantTable('token_usage', {
  chatId: column<number>(),
  /** Of the turn, or of the phone call that the agent speaks in; null: a summary. */
  turnUuid: column<string | null>(),
  /** Identifies the call of the model, so that it is booked only once; null in rows of earlier releases. */
  callId: column<string | null>(),
  modelId: column<string>('code'),
  promptTokens: column<number>(),
  completionTokens: column<number>(),
  cachedTokens: column<number>(),
  totalTokens: column<number>(),
  /** The parts of the prompt's and the completion's tokens that are sound. */
  audioInputTokens: column<number>(),
  audioOutputTokens: column<number>(),
  /** How much speech was written down; null: the model is priced by tokens. */
  speechSeconds: column<number | null>('number'),
  multiplier: column<number>('number'),
  inputMultiplier: column<number>('number'),
  outputMultiplier: column<number>('number'),
  cachedMultiplier: column<number>('number'),
  credits: column<number>('number'),
  /** The provider did not report the usage: its answer was lost. */
  isEstimated: column<boolean>(),
  createdAt: column<Date>(),
}) {}
