import {
  insertWorkflowDefinition,
  replaceDefinitionRoles,
  type WorkflowDefinitionRow,
} from '../../../db/definitions/workflow-definitions.js';
import type { CommandContext } from '../../kernel/context.js';
import { checkDefinitionReferences } from './check-references.js';
import { requireWorkflowDefinition } from './require-definition.js';

export interface CreateWorkflowDefinition {
  name: string;
  description?: string | null;
  assistantMemberId?: number | null;
  defaultPhoneNumberId?: number | null;
  /** Roles that may use the definition; empty means every role. */
  roleIds?: number[];
}

/** Creates a definition. It can be used once one of its revisions is published and active. */
export async function createWorkflowDefinition(
  context: CommandContext,
  input: CreateWorkflowDefinition,
): Promise<WorkflowDefinitionRow> {
  context.actor.require('workflows:write');
  return context.db.inWorkspace(context.actor.workspaceId, async (tx) => {
    await checkDefinitionReferences(tx, input);
    const id = await insertWorkflowDefinition(tx, {
      name: input.name,
      description: input.description ?? null,
      assistantMemberId: input.assistantMemberId ?? null,
      defaultPhoneNumberId: input.defaultPhoneNumberId ?? null,
      createdAt: context.clock.now(),
    });
    await replaceDefinitionRoles(tx, id, input.roleIds ?? []);
    return requireWorkflowDefinition(tx, id);
  });
}
