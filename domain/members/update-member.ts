import { replaceMemberLabels } from '../../db/queries/member-labels.js';
import { findMemberRole, lockMemberRoles } from '../../db/queries/member-roles.js';
import {
  findMemberDetails,
  lockMember,
  type MemberDetails,
  updateMember as writeMember,
} from '../../db/queries/members.js';
import type { CommandContext } from '../context.js';
import { InvalidInput, NotFound } from '../errors.js';
import { ensureManagerRemains, isManagerRole } from '../member-roles/last-manager.js';
import { requireCovers } from '../member-roles/role-grants.js';
import { assignableRole } from './assignable-role.js';
import { checkAttributes, type MemberAttributes } from './member-attributes.js';
import { reportingTakenIdentifier } from './reporting-taken-identifier.js';

/**
 * What is not one's own to say: it decides what one may do, or how the organisation knows one. An email or phone
 * that nobody proved would let one speak as somebody else (docs/decisions/0021).
 */
const managedAttributes = ['memberRoleId', 'labelIds', 'externalId', 'email', 'phone'] as const;

/**
 * Changes a member. One's own attributes are one's own; role, labels, external id, email, phone and other
 * members need `members:write`, and nobody changes someone who has more than themselves.
 *
 * @throws NotFound, Forbidden, InvalidInput, Conflict when no admin would be left
 */
export async function updateMember(
  context: CommandContext,
  id: number,
  input: MemberAttributes,
): Promise<MemberDetails> {
  const { db, clock, actor } = context;
  return reportingTakenIdentifier(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      if (input.memberRoleId !== undefined) await lockMemberRoles(tx);
      const member = await lockMember(tx, id);
      if (member === undefined) throw new NotFound('Member');
      actor.requireSelfOr(id, 'members:write');
      if (managedAttributes.some((name) => input[name] !== undefined)) actor.require('members:write');
      if (member.kind === 'assistant') refusePersonal(input);

      const current = await findMemberRole(tx, member.memberRoleId);
      if (current !== undefined && id !== actor.memberId) await requireCovers(tx, actor, current);
      const { changes, errors } = await checkAttributes(tx, context, input, id);
      if (errors.length > 0) throw InvalidInput.fields(errors);
      const role =
        input.memberRoleId === undefined ? undefined : await assignableRole(tx, actor, input.memberRoleId);

      const roleChange = role === undefined ? {} : { memberRoleId: role.id };
      await writeMember(tx, id, { ...changes, ...roleChange }, clock.now());
      if (input.labelIds !== undefined) await replaceMemberLabels(tx, id, input.labelIds);
      const demoted =
        current !== undefined && role !== undefined && isManagerRole(current) && !isManagerRole(role);
      if (demoted) await ensureManagerRemains(db, tx);
      const updated = await findMemberDetails(tx, id);
      if (updated === undefined) throw new NotFound('Member');
      return updated;
    }),
  );
}

/** An assistant is no one to write to, and its role is nobody's way to permissions. */
function refusePersonal(input: MemberAttributes): void {
  const given = (['memberRoleId', 'email', 'phone'] as const).filter((name) => input[name] !== undefined);
  if (given.length === 0) return;
  throw InvalidInput.fields(
    given.map((name) => ({ pointer: `/${name}`, message: 'An assistant has none to change.' })),
  );
}
