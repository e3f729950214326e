import type { Tx } from '../../../db/database.js';
import { findMemberRole, type MemberRoleRow } from '../../../db/people/member-roles.js';
import {
  findMemberDetails,
  type MemberDetails,
  type MemberFilter,
  type MemberSortField,
  selectMembers,
} from '../../../db/people/members.js';
import type { CommandContext } from '../../kernel/context.js';
import { workspaceRegion } from '../../kernel/workspace-region.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { normalizeAttributes } from './member-attributes.js';

/** Returns the actor's own member, or another one with `members:read`. @throws NotFound, Forbidden */
export async function getMember({ db, actor }: CommandContext, id: number): Promise<MemberDetails> {
  const member = await db.readInWorkspace(actor.workspaceId, (tx) => findMemberDetails(tx, id));
  if (member === undefined) throw new NotFound('Member');
  actor.requireSelfOr(member.id, 'members:read');
  return member;
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
    return { member, role, permissions: actor.permissionsInForce() };
  });
}

/** Lists members. Without `members:read`, callers find only themselves. @throws InvalidInput */
export async function listMembers(
  context: CommandContext,
  filter: Omit<MemberFilter, 'ids'>,
  page: PageRequest<MemberSortField>,
): Promise<PageOf<MemberDetails>> {
  const { db, actor } = context;
  return db.readInWorkspace(actor.workspaceId, async (tx) =>
    selectMembers(tx, await visibleMembers(tx, context, filter), page),
  );
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
