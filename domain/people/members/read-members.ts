import { findMemberRole, type MemberRoleRow } from '../../../db/people/member-roles.js';
import {
  findMemberDetails,
  type MemberDetails,
  type MemberFilter,
  type MemberSortField,
  selectMembers,
} from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import type { CommandContext } from '../../kernel/context.js';
import { workspaceRegion } from '../../kernel/workspace-region.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { type AddressView, isPlain, memberAddresses } from './member-addresses.js';
import { normalizeAttributes } from './member-attributes.js';

/**
 * Returns the actor's own member, or another one with `members:read`, which also shows the states of its addresses.
 * @throws NotFound, Forbidden
 */
export async function getMember(
  { db, clock, actor }: CommandContext,
  id: number,
): Promise<MemberDetails & { addresses?: AddressView[] }> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const member = await findMemberDetails(tx, id);
    if (member === undefined) throw new NotFound('Member');
    actor.requireSelfOr(member.id, 'members:read');
    if (!actor.can('members:read')) return asSeenBy(actor, member);
    const addresses = await memberAddresses(tx, member, clock.now());
    return addresses.every(isPlain) ? member : { ...member, addresses };
  });
}

/** A member without what a sealed session may not know of its own: others may have filled it in. */
function asSeenBy(actor: Actor, member: MemberDetails): MemberDetails {
  if (!actor.isKeptFrom(member.updatedAt)) return member;
  return { ...member, name: null, dateOfBirth: null, description: null };
}

interface OwnMember {
  member: MemberDetails;
  role: MemberRoleRow;
  permissions: string[];
}

/** Returns the caller's member with its role and the permissions in force. @throws NotFound */
export async function getOwnMember({ db, actor }: CommandContext): Promise<OwnMember> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const member = await findMemberDetails(tx, actor.memberId);
    const role = await findMemberRole(tx, actor.memberRoleId);
    if (member === undefined || role === undefined) throw new NotFound('Member');
    return { member: asSeenBy(actor, member), role, permissions: actor.permissionsInForce() };
  });
}

/** Lists members. Without `members:read`, callers find only themselves. @throws InvalidInput */
export async function listMembers(
  context: CommandContext,
  filter: Omit<MemberFilter, 'ids'>,
  page: PageRequest<MemberSortField>,
): Promise<PageOf<MemberDetails>> {
  const { db, actor } = context;
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const found = await selectMembers(tx, await visibleMembers(tx, context, filter), page);
    return { ...found, items: found.items.map((member) => asSeenBy(actor, member)) };
  });
}

/** Restricts a filter, in stored form, to the members that the actor may see. @throws InvalidInput */
export async function visibleMembers(
  tx: Tx,
  context: CommandContext,
  filter: Omit<MemberFilter, 'ids'>,
): Promise<MemberFilter> {
  const { actor, clock } = context;
  const { email, phone } = filter;
  const defaultRegion = phone === undefined ? '' : await workspaceRegion(context, tx);
  const { changes, errors } = normalizeAttributes(
    { ...(email === undefined ? {} : { email }), ...(phone === undefined ? {} : { phone }) },
    { defaultRegion, now: clock.now() },
  );
  if (errors.length > 0) throw InvalidInput.fields(errors);
  return {
    ...filter,
    ...(changes.email == null ? {} : { email: changes.email }),
    ...(changes.phone == null ? {} : { phone: changes.phone }),
    ...(actor.can('members:read') ? {} : { ids: [actor.memberId] }),
  };
}
