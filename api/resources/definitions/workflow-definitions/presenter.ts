import type { WorkflowDefinitionRow } from '../../../../db/definitions/workflow-definitions.js';
import { canUse } from '../../../../domain/definitions/workflow-definitions/require-definition.js';
import type { Actor } from '../../../../domain/kernel/actor.js';
import type { WorkflowResponse } from './schemas.js';

export function presentWorkflow(definition: WorkflowDefinitionRow, actor: Actor): WorkflowResponse {
  const archived = definition.archivedAt !== null;
  return {
    id: definition.id,
    uuid: definition.uuid,
    name: definition.name,
    description: definition.description,
    activeRevisionId: definition.activeRevisionId,
    activeRevisionNumber: definition.activeRevisionNumber,
    defaultPhoneNumberId: definition.defaultPhoneNumberId,
    assistantMemberId: definition.assistantMemberId,
    roleIds: definition.roleIds,
    // How a caller proves who it is tells others how to pose as it.
    ...(actor.can('workflows:write') ? { voiceIdentity: definition.voiceIdentity } : {}),
    ...(archived ? { archived } : {}),
    heldAt: definition.heldAt?.toISOString() ?? null,
    ...(actor.can('workflows:read') ? { heldReason: definition.heldReason } : {}),
    canUse: !archived && canUse(actor, definition.roleIds),
    createdAt: definition.createdAt.toISOString(),
    updatedAt: definition.updatedAt.toISOString(),
  };
}
