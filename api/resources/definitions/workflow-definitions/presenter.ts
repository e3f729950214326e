import type { WorkflowDefinitionRow } from '../../../../db/definitions/workflow-definitions.js';
import { canUse } from '../../../../domain/definitions/workflow-definitions/require-definition.js';
import type { Actor } from '../../../../domain/kernel/actor.js';

export function presentWorkflow(definition: WorkflowDefinitionRow, actor: Actor) {
  const archived = definition.archivedAt !== null;
  return {
    ...definition,
    // How a caller proves who it is tells others how to pose as it.
    voiceIdentity: actor.can('workflows:write') ? definition.voiceIdentity : undefined,
    archived: archived || undefined,
    heldReason: actor.can('workflows:read') ? definition.heldReason : undefined,
    canUse: !archived && canUse(actor, definition.roleIds),
  };
}
