import type { RowOf } from '../lib/table-model.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { TokenUsageModel } from './models/token-usage.js';

/** Books the usage of a model call. @returns false when it was booked before */
export async function insertTokenUsage(tx: Tx, usage: NewTokenUsage): Promise<boolean> {
  return (await TokenUsageModel.insertOnce(tx, usage, ['callId'])) !== undefined;
}

export type TokenUsageFields = Omit<RowOf<TokenUsageModel>, 'id' | 'workspaceId'>;
/** Without `speechSeconds`: a model that is priced by tokens. */
export type NewTokenUsage = Omit<TokenUsageFields, 'speechSeconds'> &
  Partial<Pick<TokenUsageFields, 'speechSeconds'>>;

/** The sum of the calls of one model that were billed with the same multipliers. */
export type ModelUsage = Omit<
  TokenUsageFields,
  'chatId' | 'turnUuid' | 'callId' | 'createdAt' | 'isEstimated'
>;

/** Returns a chat's usage by model, in the order in which the models were first called. */
export async function usageOfChat(tx: Tx, chatId: number): Promise<ModelUsage[]> {
  return prepared(
    tx,
    `select model_id as "modelId", multiplier, input_multiplier as "inputMultiplier",
       output_multiplier as "outputMultiplier", cached_multiplier as "cachedMultiplier",
       sum(prompt_tokens) as "promptTokens", sum(completion_tokens) as "completionTokens",
       sum(cached_tokens) as "cachedTokens", sum(total_tokens) as "totalTokens",
       sum(audio_input_tokens) as "audioInputTokens", sum(audio_output_tokens) as "audioOutputTokens",
       sum(credits) as credits, sum(speech_seconds) as "speechSeconds"
     from token_usage where chat_id = ?
     group by model_id, multiplier, input_multiplier, output_multiplier, cached_multiplier order by min(id)`,
    [chatId],
  );
}
