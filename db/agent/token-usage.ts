import type { RowOf } from '../lib/table-model.js';
import type { Tx } from '../tx.js';
import { TokenUsageModel } from './models/token-usage.js';

/** Books the usage of a model call. @returns false when it was booked before */
export async function insertTokenUsage(tx: Tx, usage: NewTokenUsage): Promise<boolean> {
  const inserted = await TokenUsageModel.query(tx)
    .insert({ ...usage, workspaceId: tx.workspaceId })
    .onConflict(['workspace_id', 'call_id'])
    .ignore()
    .returning('id');
  // In a conflict, what was given comes back.
  return (inserted as { id?: number } | undefined)?.id !== undefined;
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
  const same = {
    modelId: 'model_id',
    multiplier: 'multiplier',
    inputMultiplier: 'input_multiplier',
    outputMultiplier: 'output_multiplier',
    cachedMultiplier: 'cached_multiplier',
  };
  return tx('token_usage')
    .where({ chat_id: chatId })
    .groupBy(Object.values(same))
    .orderByRaw('min(id)')
    .select(same)
    .sum({
      promptTokens: 'prompt_tokens',
      completionTokens: 'completion_tokens',
      cachedTokens: 'cached_tokens',
      totalTokens: 'total_tokens',
      audioInputTokens: 'audio_input_tokens',
      audioOutputTokens: 'audio_output_tokens',
      credits: 'credits',
      speechSeconds: 'speech_seconds',
    });
}
