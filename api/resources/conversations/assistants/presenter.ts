import type { AssistantRow } from '../../../../db/conversations/assistants.js';
import type { Actor } from '../../../../domain/kernel/actor.js';
import type { BaseAssistantResponse } from './schemas.js';

/** Shows instructions and models only with permission to read or write assistants. */
export function presentAssistant(row: AssistantRow, actor: Actor): BaseAssistantResponse {
  const checksAfter = actor.can('assistants:read') || actor.can('assistants:write');
  return {
    id: row.id,
    uuid: row.uuid,
    memberId: row.memberId,
    name: row.name,
    ...(checksAfter ? presentConfiguration(row) : {}),
    isDefault: row.isDefault,
    enabled: row.enabled,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

function presentConfiguration(row: AssistantRow) {
  const { instructions, chatModelId, realtimeModelId, chatModelConfig, realtimeModelConfig } = row;
  return { instructions, chatModelId, realtimeModelId, chatModelConfig, realtimeModelConfig };
}
