import type { OrganizationRow } from '../../../db/identity/models/organization.js';
import type { OrganizationMemberRow } from '../../../db/identity/models/organization-member.js';
import type { IdentityTx } from '../../../db/tx.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { recordAccountAudit } from '../../kernel/audit/record-audit.js';
import { Conflict, Forbidden, NotFound } from '../../lib/errors.js';
import { createSessionToken } from '../sessions/session-token.js';
import { ssoRequired } from '../single-sign-on/sso-only.js';
import { recordInOrganization } from './require-organization.js';

/** How long the session of an organization lasts, at most; it ends with the session of the account. */
const lifetimeMs = 14 * 86_400_000;
export const maxOrganizationMembers = 10_000;

export interface Joined {
  organization: OrganizationRow;
  member: OrganizationMemberRow;
  /** The token for the cookie. */
  token: string;
  seconds: number;
}

/**
 * Begins a session of the caller in an organization, under a new token. Who is no member yet becomes one if an invitation
 * names the proved address of the account, if its domain may join, or if anyone may. Otherwise an uuid alone is good for nothing.
 * @throws NotFound, Forbidden `join_refused`, `sso_required`, `member_disabled`, `session_required`, Conflict `too_many_members`
 */
export async function joinOrganization(context: AccountContext, uuid: string): Promise<Joined> {
  const { db, clock, account, credential } = context;
  const now = clock.now();
  return db.inIdentity(async (tx) => {
    const organization = await db.identity.organizations.lockByUuid(uuid, tx);
    if (organization === undefined) throw new NotFound('Organization');
    // The identity provider is the one way in.
    if (organization.ssoOnly) throw ssoRequired();
    const member =
      (await db.identity.organizationMembers.find(organization.id, account.id, tx)) ??
      (await admit(context, tx, organization));
    if (member.status === 'disabled') {
      const why = 'The member is disabled in this organization.';
      throw new Forbidden('an enabled member', why, 'member_disabled');
    }
    const { token, hash } = createSessionToken();
    await db.identity.organizationSessions.begin(
      {
        organizationId: organization.id,
        sessionId: credential.id,
        accountId: account.id,
        hash,
        bySso: false,
        createdAt: now,
        expiresAt: new Date(now.getTime() + lifetimeMs),
      },
      tx,
    );
    const note = { subject: ['organization_member', member.id] } as const;
    recordInOrganization(tx, context, { organization, member }, 'session:begun', note);
    return { organization, member, token, seconds: lifetimeMs / 1_000 };
  });
}

async function admit(
  context: AccountContext,
  tx: IdentityTx,
  organization: OrganizationRow,
): Promise<OrganizationMemberRow> {
  const { db, clock, account, credential } = context;
  const { organizationInvitations, organizationMembers } = db.identity;
  const now = clock.now();
  // The account as it is now: an address counts only while the account has it, and has proved it.
  const current = await db.identity.accounts.findById(account.id, tx);
  const email = current?.emailVerifiedAt ? current.email : null;
  const invitation =
    email === null ? undefined : await organizationInvitations.findFor(organization.id, email, now, tx);
  const joinedBy = invitation === undefined ? wayIn(organization, email) : 'invitation';
  if (joinedBy === undefined) throw joinRefused();
  if ((await organizationMembers.count(organization.id, tx)) >= maxOrganizationMembers) {
    const most = `The organization has ${maxOrganizationMembers} members, the most it may.`;
    throw new Conflict('too_many_members', most);
  }
  if (invitation !== undefined) await organizationInvitations.remove(organization.id, invitation.id, tx);
  const member = await organizationMembers.add(
    {
      organizationId: organization.id,
      accountId: account.id,
      role: invitation?.role ?? 'member',
      name: current?.name ?? null,
      email,
      joinedBy,
      createdAt: now,
    },
    tx,
  );
  const names = [member.joinedBy];
  const added = { subject: ['organization_member', member.id], names } as const;
  recordInOrganization(tx, context, { organization, member }, 'organization_member:added', added);
  const joined = { subject: ['organization', organization.id], names } as const;
  recordAccountAudit(tx, { now, credential }, account.id, 'organization:joined', joined);
  return member;
}

/** By what an account may join uninvited. */
function wayIn({ joinDomains, anyoneMayJoin }: OrganizationRow, email: string | null) {
  const domain = email?.slice(email.lastIndexOf('@') + 1);
  if (domain !== undefined && joinDomains.includes(domain)) return 'domain';
  return anyoneMayJoin ? 'open' : undefined;
}

function joinRefused(): Forbidden {
  const why = 'The organization has not invited an address that the account has proved.';
  return new Forbidden('an invitation', why, 'join_refused');
}

/** The caller in an organization. @throws NotFound for who is no member */
export async function getOrganizationMembership(
  { db, account }: AccountContext,
  uuid: string,
): Promise<{ organization: OrganizationRow; member: OrganizationMemberRow }> {
  const organization = await db.identity.organizations.findByUuid(uuid);
  const member = organization && (await db.identity.organizationMembers.find(organization.id, account.id));
  if (organization === undefined || member === undefined) throw new NotFound('Membership');
  return { organization, member };
}
