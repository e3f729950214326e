import { pinMemberLabels } from '../../../db/people/member-labels.js';
import { lockMemberRoles, pinMemberRoles } from '../../../db/people/member-roles.js';
import { lockMember, type MemberDetails } from '../../../db/people/members.js';
import { lockIdentifiers } from '../../../db/people/write-members.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { unknownLabels } from '../../kernel/labels.js';
import { workspaceRegion } from '../../kernel/workspace-region.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { memberLabels } from '../member-labels/member-labels.js';
import { ensureManagerRemains, isManagerRole } from '../member-roles/last-manager.js';
import { requireManages } from '../member-roles/role-grants.js';
import { chooseAssignableRole } from './assignable-role.js';
import { changeMembers } from './change-member.js';
import { identifierFields, reportingTakenIdentifier, takenErrors } from './identifiers.js';
import { type MemberAttributes, normalizeAttributes } from './member-attributes.js';
import { vouchForAddresses } from './unproved-identifiers.js';

/**
 * Whether changing an attribute needs `members:write` even for the actor's own member: it decides what the member may
 * do or how it is identified, so that a member could pose as another (docs/decisions/0060).
 */
const isManagedAttribute = {
  memberRoleId: true,
  labelIds: true,
  externalId: true,
  email: true,
  phone: true,
  name: false,
  dateOfBirth: false,
  description: false,
  locale: false,
  notifyEmail: false,
  notifySms: false,
  notifyVoice: false,
} as const satisfies Record<keyof MemberAttributes, boolean>;

/**
 * Changes a member. Members may change their own attributes, except managed ones. An actor cannot change a member that
 * has more permissions than itself. @throws NotFound, Forbidden, InvalidInput, Conflict if no admin would remain
 */
export async function updateMember(
  context: CommandContext,
  id: number,
  input: MemberAttributes,
): Promise<MemberDetails> {
  const { db, clock, actor } = context;
  const now = clock.now();
  const { labelIds, memberRoleId } = input;
  return reportingTakenIdentifier(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      // Check permissions on locked rows, so that a member that is promoted concurrently is checked with its new role.
      const [labels, roles, , member, defaultRegion] = await Promise.all([
        pinMemberLabels(tx, labelIds ?? []),
        memberRoleId === undefined ? pinMemberRoles(tx) : lockMemberRoles(tx),
        identifierFields.some((field) => input[field] != null) ? lockIdentifiers(tx, 'one') : undefined,
        lockMember(tx, id),
        workspaceRegion(context, tx),
      ]);
      if (member === undefined) throw new NotFound('Member');
      actor.requireSelfOr(id, 'members:write');
      const given = Object.keys(input) as (keyof MemberAttributes)[];
      const isManaged = given.some((name) => input[name] !== undefined && isManagedAttribute[name]);
      if (isManaged) actor.require('members:write');
      if (member.kind === 'assistant') refusePersonal(input);

      if (isManaged || id !== actor.memberId) requireManages(actor, roles, member);
      const { changes, errors } = normalizeAttributes(input, { defaultRegion, now });
      errors.push(...unknownLabels(memberLabels, labelIds ?? [], labels));
      if (errors.length > 0) throw InvalidInput.fields(errors);
      const role = memberRoleId === undefined ? undefined : chooseAssignableRole(roles, actor, memberRoleId);

      const change = role === undefined ? changes : { ...changes, memberRoleId: role.id };
      const [changed] = await changeMembers(tx, { now }, [{ member, changes: change, labelIds }]);
      if (changed === undefined || changed.status === 'gone') throw new NotFound('Member');
      if (changed.status === 'taken') throw InvalidInput.fields(takenErrors(changed.taken), 'duplicate');
      await vouchForAddresses(tx, [{ memberId: id, changes }]);
      const current = roles.find((candidate) => candidate.id === member.memberRoleId);
      if (current && role && isManagerRole(current) && !isManagerRole(role))
        await ensureManagerRemains(db, tx);
      if (role !== undefined && role.id !== member.memberRoleId) {
        recordAudit(tx, context, 'member:role_changed', { subject: ['member', id] });
      }
      return changed.member;
    }),
  );
}

/** Assistants receive no messages, and their role must not be a way to gain permissions. */
function refusePersonal(input: MemberAttributes): void {
  const given = (['memberRoleId', 'email', 'phone'] as const).filter((name) => input[name] !== undefined);
  if (given.length === 0) return;
  throw InvalidInput.fields(
    given.map((name) => ({ pointer: `/${name}`, message: 'An assistant has none to change.' })),
  );
}
