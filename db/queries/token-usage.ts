import type { Tx } from '../database.js';
import { TokenUsageModel } from '../models/token-usage.js';

export async function insertTokenUsage(tx: Tx, usage: TokenUsageFields): Promise<void> {
  await TokenUsageModel.query(tx).insert({ ...usage, workspaceId: tx.workspaceId });
}

export type TokenUsageFields = Pick<
  TokenUsageModel,
  | 'chatId'
  | 'turnUuid'
  | 'modelId'
  | 'promptTokens'
  | 'completionTokens'
  | 'cachedTokens'
  | 'totalTokens'
  | 'credits'
>;
