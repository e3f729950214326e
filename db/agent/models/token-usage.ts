import { TenantModel } from '../../lib/tenant-model.js';

export class TokenUsageModel extends TenantModel {
  static override tableName = 'token_usage';

  declare chatId: number;
  declare turnUuid: string | null;
  /** Identifies the call of the model, so that it is booked only once; null in rows of earlier releases. */
  declare callId: string | null;
  declare modelId: string;
  declare promptTokens: number;
  declare completionTokens: number;
  declare cachedTokens: number;
  declare totalTokens: number;
  declare multiplier: number;
  declare inputMultiplier: number;
  declare outputMultiplier: number;
  declare cachedMultiplier: number;
  declare credits: number;
  declare createdAt: Date;
}
