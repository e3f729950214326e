import { findPhoneNumber } from '../../../db/channels/phone-numbers.js';
import { holdAssistantMember } from '../../../db/conversations/assistants.js';
import type { Tx } from '../../../db/database.js';
import { listMemberRoles } from '../../../db/people/member-roles.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';

/** References of a definition to other rows of the workspace. */
export interface DefinitionReferences {
  assistantMemberId?: number | null;
  defaultPhoneNumberId?: number | null;
  roleIds?: number[];
}

/** @throws InvalidInput naming every reference that is not of this workspace */
export async function checkDefinitionReferences(tx: Tx, references: DefinitionReferences): Promise<void> {
  const errors: FieldError[] = [];
  const { assistantMemberId, defaultPhoneNumberId, roleIds } = references;
  if (typeof assistantMemberId === 'number' && !(await holdAssistantMember(tx, assistantMemberId))) {
    errors.push({ pointer: '/assistantMemberId', message: 'There is no assistant with this member id.' });
  }
  if (typeof defaultPhoneNumberId === 'number' && !(await findPhoneNumber(tx, defaultPhoneNumberId))) {
    errors.push({ pointer: '/defaultPhoneNumberId', message: 'There is no such phone number.' });
  }
  if (roleIds !== undefined && roleIds.length > 0) {
    const known = new Set((await listMemberRoles(tx)).map((role) => role.id));
    for (const [index, roleId] of roleIds.entries()) {
      if (!known.has(roleId))
        errors.push({ pointer: `/roleIds/${index}`, message: 'There is no such role.' });
    }
  }
  if (errors.length > 0) throw InvalidInput.fields(errors);
}
