import {
  patchWorkflowDefinition,
  replaceDefinitionRoles,
  type WorkflowDefinitionRow,
} from '../../../db/definitions/workflow-definitions.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { checkVoiceIdentity } from '../voice-identity/check-voice-identity.js';
import { type CreateWorkflowDefinition, checkDefinitionReferences } from './create-workflow-definition.js';
import { lockDefinitionForChange, requireWorkflowDefinition } from './require-definition.js';

/** Changes the given values and leaves the others; null removes a value. */
export async function updateWorkflowDefinition(
  context: CommandContext,
  definitionId: number,
  input: Partial<CreateWorkflowDefinition>,
): Promise<WorkflowDefinitionRow> {
  context.actor.require('workflows:write');
  return context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    await lockDefinitionForChange(tx, definitionId);
    await checkDefinitionReferences(tx, input);
    const { roleIds, voiceIdentity: given, ...changes } = input;
    const voiceIdentity = given ? await checkVoiceIdentity(tx, given) : given;
    const identity = voiceIdentity === undefined ? {} : { voiceIdentity };
    await patchWorkflowDefinition(tx, definitionId, {
      ...changes,
      ...identity,
      updatedAt: context.clock.now(),
    });
    if (roleIds !== undefined) {
      await replaceDefinitionRoles(tx, definitionId, roleIds);
      recordAudit(tx, context, 'workflow:roles_changed', { subject: ['workflow', definitionId] });
    }
    return requireWorkflowDefinition(tx, definitionId);
  });
}
