import { findPhoneNumber } from '../../../db/channels/phone-numbers.js';
import { holdAssistantMember } from '../../../db/conversations/assistants.js';
import {
  insertWorkflowDefinition,
  replaceDefinitionRoles,
  type WorkflowDefinitionRow,
  type WorkflowDefinitionValues,
} from '../../../db/definitions/workflow-definitions.js';
import { selectMemberRoles } from '../../../db/people/member-roles.js';
import type { Tx } from '../../../db/tx.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';
import { checkVoiceIdentity, type VoiceIdentityInput } from '../voice-identity/check-voice-identity.js';
import { requireWorkflowDefinition } from './require-definition.js';

type Values = WorkflowDefinitionValues;

export interface CreateWorkflowDefinition
  extends Pick<Values, 'name'>,
    Partial<Omit<Values, 'name' | 'voiceIdentity'>> {
  /** How callers prove who they are; null: as the workspace says. */
  voiceIdentity?: VoiceIdentityInput | null;
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
      voiceIdentity: input.voiceIdentity ? await checkVoiceIdentity(tx, input.voiceIdentity) : null,
      createdAt: context.clock.now(),
    });
    await replaceDefinitionRoles(tx, id, input.roleIds ?? []);
    recordAudit(tx, context, 'workflow:roles_changed', { subject: ['workflow', id] });
    return requireWorkflowDefinition(tx, id);
  });
}

/** @throws InvalidInput naming every reference that is not of this workspace */
export async function checkDefinitionReferences(
  tx: Tx,
  { assistantMemberId, defaultPhoneNumberId, roleIds }: Partial<CreateWorkflowDefinition>,
): Promise<void> {
  const errors: FieldError[] = [];
  if (typeof assistantMemberId === 'number' && !(await holdAssistantMember(tx, assistantMemberId))) {
    errors.push({ pointer: '/assistantMemberId', message: 'There is no assistant with this member id.' });
  }
  if (typeof defaultPhoneNumberId === 'number' && !(await findPhoneNumber(tx, defaultPhoneNumberId))) {
    errors.push({ pointer: '/defaultPhoneNumberId', message: 'There is no such phone number.' });
  }
  if (roleIds !== undefined && roleIds.length > 0) {
    const known = new Set((await selectMemberRoles(tx)).map((role) => role.id));
    for (const [index, roleId] of roleIds.entries()) {
      if (known.has(roleId)) continue;
      errors.push({ pointer: `/roleIds/${index}`, message: 'There is no such role.' });
    }
  }
  if (errors.length > 0) throw InvalidInput.fields(errors);
}
