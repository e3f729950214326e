import type { ChatTokenUsage } from '../../../../domain/conversations/chats/read-token-usage.js';
import type { ChatTokenUsageResponse } from './schemas.js';

export function presentTokenUsage({ byModel, ...totals }: ChatTokenUsage): ChatTokenUsageResponse {
  return {
    ...totals,
    usageByModel: byModel.map(({ modelId, ...usage }) => ({ model: modelId, ...usage })),
  };
}
