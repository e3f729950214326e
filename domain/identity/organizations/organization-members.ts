import type { OrganizationMemberRow } from '../../../db/identity/models/organization-member.js';
import type { IdentityTx } from '../../../db/tx.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { recordAccountAudit } from '../../kernel/audit/record-audit.js';
import { Conflict, Forbidden, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { type InOrganization, recordInOrganization, requireOrganization } from './require-organization.js';

/** The members, for owners and admins. @throws NotFound, Forbidden */
export async function listOrganizationMembers(
  context: AccountContext,
  uuid: string,
  page: PageRequest<'createdAt' | 'name'>,
): Promise<PageOf<OrganizationMemberRow>> {
  const { db } = context;
  const { organization } = await requireOrganization(context, uuid, 'admin');
  return db.identity.organizationMembers.list(organization.id, page);
}

/**
 * Changes role or status. Admins change plain members only, and make none of them more than that. A disabled member has
 * no open session in the organization. @throws NotFound, Forbidden, Conflict `last_owner`
 */
export async function updateOrganizationMember(
  context: AccountContext,
  uuid: string,
  memberId: number,
  changes: Partial<Pick<OrganizationMemberRow, 'role' | 'status'>>,
): Promise<OrganizationMemberRow> {
  const { db, clock } = context;
  return db.inIdentity(async (tx) => {
    const caller = await requireOrganization(context, uuid, 'admin', { tx, lock: true });
    const member = await db.identity.organizationMembers.findById(caller.organization.id, memberId, tx);
    if (member === undefined) throw new NotFound('Member');
    requireAbove(caller, member, changes.role ?? member.role);
    const after = { ...member, ...changes };
    const wasOwner = member.role === 'owner' && member.status === 'active';
    const isOwner = after.role === 'owner' && after.status === 'active';
    if (wasOwner && !isOwner && !(await db.identity.organizationMembers.hasOtherOwner(member, tx))) {
      throw lastOwner();
    }
    const now = clock.now();
    if (after.status === 'disabled') await endSessions(context, member, tx);
    const names = Object.values(changes).filter((value) => value !== undefined);
    const note = { subject: ['organization_member', member.id], names } as const;
    recordInOrganization(tx, context, caller, 'organization_member:updated', note);
    const told = { subject: ['organization', member.organizationId], names } as const;
    recordAccountAudit(tx, { now }, member.accountId, 'organization_member:updated', told);
    return db.identity.organizationMembers.update(member.id, { ...changes, updatedAt: now }, tx);
  });
}

/**
 * Removes a member; every member may leave by itself. @throws NotFound, Forbidden, Conflict `last_owner`
 */
export async function removeOrganizationMember(
  context: AccountContext,
  uuid: string,
  memberId: number,
): Promise<void> {
  const { db, clock } = context;
  await db.inIdentity(async (tx) => {
    const own = await requireOrganization(context, uuid, 'member', { tx, lock: true });
    const caller =
      own.member.id === memberId ? own : await requireOrganization(context, uuid, 'admin', { tx });
    const member = await db.identity.organizationMembers.findById(caller.organization.id, memberId, tx);
    if (member === undefined) throw new NotFound('Member');
    if (member.id !== caller.member.id) requireAbove(caller, member, member.role);
    const isOwner = member.role === 'owner' && member.status === 'active';
    if (isOwner && !(await db.identity.organizationMembers.hasOtherOwner(member, tx))) throw lastOwner();
    await endSessions(context, member, tx);
    await db.identity.organizationMembers.remove(member.id, tx);
    const note = { subject: ['organization_member', member.id] } as const;
    recordInOrganization(tx, context, caller, 'organization_member:removed', note);
    const told = { subject: ['organization', member.organizationId] } as const;
    recordAccountAudit(tx, { now: clock.now() }, member.accountId, 'organization:left', told);
  });
}

/** Ends what is open in the organization, and what its identity provider has begun. */
async function endSessions(
  { db, clock }: AccountContext,
  member: OrganizationMemberRow,
  tx: IdentityTx,
): Promise<void> {
  await db.identity.organizationSessions.endAll(member, clock.now(), tx);
  await db.identity.sessions.endAllOfOrganization(member, clock.now(), tx);
}

function requireAbove(
  { member: caller }: InOrganization,
  member: OrganizationMemberRow,
  role: OrganizationMemberRow['role'],
): void {
  if (caller.role === 'owner') return;
  if (caller.role === 'admin' && member.role === 'member' && role === 'member') return;
  throw new Forbidden('the role owner', 'This needs the role owner of the organization.');
}

function lastOwner(): Conflict {
  return new Conflict('last_owner', 'The organization would be left without an owner who can sign in.');
}
