import type {
  OrganizationInvitationRow,
  OrganizationRole,
} from '../../../db/identity/models/organization-member.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { normalizeEmail } from '../../lib/email.js';
import { Conflict, Forbidden, InvalidInput, NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { recordInOrganization, requireOrganization } from './require-organization.js';

const lifetimeMs = 30 * 86_400_000;
export const maxInvitations = 500;

/**
 * Invites the person who has an address: whose account proves it may join. Nothing is sent. Admins invite plain members
 * only. @throws NotFound, Forbidden, InvalidInput, Conflict `too_many_invitations`
 */
export async function inviteToOrganization(
  context: AccountContext,
  uuid: string,
  input: { email: string; role?: OrganizationRole },
): Promise<OrganizationInvitationRow> {
  const { db, clock, account } = context;
  const email = normalizeEmail(input.email);
  if (email === null) throw InvalidInput.field('/email', 'must be an email address');
  const { role = 'member' } = input;
  return db.inIdentity(async (tx) => {
    const own = await requireOrganization(context, uuid, 'admin', { tx, lock: true });
    const { organization, member } = own;
    if (member.role !== 'owner' && role !== 'member') {
      throw new Forbidden('the role owner', 'This needs the role owner of the organization.');
    }
    const now = clock.now();
    const invitations = db.identity.organizationInvitations;
    await invitations.removeExpired(now, tx);
    const before = await invitations.findFor(organization.id, email, now, tx);
    if (before === undefined && (await invitations.count(organization.id, tx)) >= maxInvitations) {
      throw new Conflict(
        'too_many_invitations',
        `The organization has ${maxInvitations} open invitations, the most it may.`,
      );
    }
    const invitation = await invitations.put(
      {
        organizationId: organization.id,
        email,
        role,
        invitedByAccountId: account.id,
        createdAt: now,
        expiresAt: new Date(now.getTime() + lifetimeMs),
      },
      tx,
    );
    const note = { subject: ['invitation', invitation.id], names: [role] } as const;
    recordInOrganization(tx, context, own, 'invitation:created', note);
    return invitation;
  });
}

/** The invitations that are open. @throws NotFound, Forbidden */
export async function listInvitations(
  context: AccountContext,
  uuid: string,
  page: PageRequest<'createdAt' | 'email'>,
): Promise<PageOf<OrganizationInvitationRow>> {
  const { db, clock } = context;
  const { organization } = await requireOrganization(context, uuid, 'admin');
  return db.identity.organizationInvitations.listOpen(organization.id, clock.now(), page);
}

/** @throws NotFound, Forbidden */
export async function withdrawInvitation(
  context: AccountContext,
  uuid: string,
  invitationId: number,
): Promise<void> {
  const { db } = context;
  await db.inIdentity(async (tx) => {
    const own = await requireOrganization(context, uuid, 'admin', { tx });
    if (!(await db.identity.organizationInvitations.remove(own.organization.id, invitationId, tx))) {
      throw new NotFound('Invitation');
    }
    const note = { subject: ['invitation', invitationId] } as const;
    recordInOrganization(tx, context, own, 'invitation:withdrawn', note);
  });
}
