import type { AssistantRow } from '../../../db/queries/assistants.js';
import type { BaseAssistantResponse } from './schemas.js';

export function presentAssistant(row: AssistantRow): BaseAssistantResponse {
  return {
    id: row.id,
    uuid: row.uuid,
    memberId: row.memberId,
    name: row.name,
    instructions: row.instructions,
    chatModelId: row.chatModelId,
    realtimeModelId: row.realtimeModelId,
    chatModelConfig: row.chatModelConfig,
    realtimeModelConfig: row.realtimeModelConfig,
    isDefault: row.isDefault,
    enabled: row.enabled,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
