import type { WithinWorkspaces } from '../../../db/database.js';
import type { AccountRow } from '../../../db/identity/models/account.js';
import type { MembershipRow } from '../../../db/identity/models/membership.js';
import { findMemberRole, type MemberRoleRow, pinMemberRoles } from '../../../db/people/member-roles.js';
import { findMember } from '../../../db/people/members.js';
import { findSiteByUuid, type SiteRow } from '../../../db/sites/sites.js';
import type { IdentityTx, Tx } from '../../../db/tx.js';
import type { AnonymousContext } from '../../identity/sessions/anonymous-context.js';
import { takeAddress } from '../../identity/sessions/verify-address.js';
import { ssoOnlyWorkspace } from '../../identity/single-sign-on/sso-only.js';
import type { AccountContext } from '../../kernel/account-context.js';
import { recordAuditOfNobody } from '../../kernel/audit/record-audit.js';
import { isAdminRole } from '../../kernel/scopes.js';
import { Conflict, Forbidden, NotFound } from '../../lib/errors.js';
import { defaultMemberRole } from '../../people/member-roles/default-member-role.js';
import { addMembers } from '../../people/members/add-member.js';
import { joinVisitor } from '../visitors/join-visitor.js';

export interface SiteSignup {
  status: 'success' | 'already_member';
  memberId: number;
  roleName: string;
  /** Of a visitor whose chat has become the account's. */
  visitorToken?: string;
}

type SignupContext = AccountContext & AnonymousContext;

/**
 * Makes the account that is signed in a member, with the role of the site. Nothing that the caller says decides who it is: name and
 * addresses are the account's, and only proved addresses. A visitor's token gives the account the chat of its browser, if nobody is
 * known to be that visitor. However often and at once it is called, one member results.
 * @throws NotFound, Forbidden `signup_closed`, Conflict `sso_only`, `signup_role_is_admin`
 */
export async function signUpToSite(
  context: SignupContext,
  {
    workspaceUuid,
    siteUuid,
    visitorToken,
  }: { workspaceUuid: string; siteUuid: string; visitorToken?: string | undefined },
): Promise<SiteSignup> {
  const { db, account } = context;
  const workspace = await db.identity.workspaces.findByUuid(workspaceUuid);
  const { workspaceId: only } = context.credential;
  if (workspace === undefined || (only !== null && only !== workspace.id)) throw new NotFound('Workspace');
  return db.inIdentity(async (tx, within) => {
    // The row lock of the account serializes concurrent calls.
    const caller = await db.identity.accounts.lock(account.id, tx);
    if (caller === undefined || !caller.enabled) throw new NotFound('Account');
    const mayEnter = await within.inWorkspace(workspace.id, (inside) => admitted(context, inside, siteUuid));
    if ('status' in mayEnter) return mayEnter;
    await takeOwnMembers(context, tx, within, caller);
    return within.inWorkspace(workspace.id, async (inside) => {
      const found = await memberOf(context, inside);
      if (found !== undefined) return found;
      const { role, siteId } = mayEnter;
      const joining = { account: caller, role, siteId, sessionId: context.credential.id };
      const now = context.clock.now();
      const joined =
        visitorToken === undefined
          ? undefined
          : await joinVisitor(db, inside, { ...joining, visitorToken }, now);
      if (joined === undefined) return join(context, inside, caller, role);
      recordSignUp(context, inside, joined.member.id, now);
      const { member, visitorToken: next } = joined;
      return { status: 'success', memberId: member.id, roleName: role.name, visitorToken: next };
    });
  });
}

/** A site lets the caller in, or the caller is in already. */
async function admitted(
  context: SignupContext,
  tx: Tx,
  siteUuid: string,
): Promise<SiteSignup | { role: MemberRoleRow; siteId: number }> {
  const { organizations } = context.db.identity;
  const site = await findSiteByUuid(tx, siteUuid.toLowerCase());
  if (site === undefined) throw new NotFound('Site');
  const found = await memberOf(context, tx);
  if (found !== undefined) return found;
  if (!site.isPublic) throw new NotFound('Site');
  if (!site.allowSignup) {
    throw new Forbidden('sign-up', 'Nobody signs up through this site.', 'signup_closed');
  }
  if (await organizations.isSsoOnly(tx.workspaceId, tx)) throw ssoOnlyWorkspace();
  return { role: await roleOf(tx, site), siteId: site.id };
}

/** The role as it is now: it may have got permissions since the site named it. @throws Conflict `signup_role_is_admin` */
async function roleOf(tx: Tx, { signupMemberRoleId }: SiteRow): Promise<MemberRoleRow> {
  const roles = await pinMemberRoles(tx);
  const role =
    signupMemberRoleId === null
      ? defaultMemberRole(roles)
      : roles.find(({ id }) => id === signupMemberRoleId);
  if (role !== undefined && !isAdminRole(role)) return role;
  const why =
    'The role of the site has admin permissions, which nobody gets by signing up. Its team has to choose another role.';
  throw new Conflict('signup_role_is_admin', why);
}

async function memberOf({ db, account }: SignupContext, tx: Tx): Promise<SiteSignup | undefined> {
  const membership: MembershipRow | undefined = await db.identity.memberships.findByAccount(
    tx.workspaceId,
    account.id,
    tx,
  );
  if (membership === undefined) return undefined;
  const member = await findMember(tx, membership.memberId);
  const role = member && (await findMemberRole(tx, member.memberRoleId));
  return { status: 'already_member', memberId: membership.memberId, roleName: role?.name ?? '' };
}

/** Members that were created with a proved address of the caller's since it signed in are its own, as at a sign-in. */
async function takeOwnMembers(
  context: SignupContext,
  tx: IdentityTx,
  within: WithinWorkspaces,
  account: AccountRow,
): Promise<void> {
  const { email, emailVerifiedAt, phone, phoneVerifiedAt } = account;
  if (email !== null && emailVerifiedAt !== null) {
    await takeAddress(context, tx, within, { channel: 'email', address: email });
  }
  if (phone !== null && phoneVerifiedAt !== null) {
    await takeAddress(context, tx, within, { channel: 'phone', address: phone });
  }
}

async function join(
  context: SignupContext,
  tx: Tx,
  account: AccountRow,
  role: MemberRoleRow,
): Promise<SiteSignup> {
  const { db, clock } = context;
  const now = clock.now();
  const values = {
    name: account.name,
    email: account.emailVerifiedAt === null ? null : account.email,
    phone: account.phoneVerifiedAt === null ? null : account.phone,
    locale: account.locale,
    memberRoleId: role.id,
  };
  let [added] = await addMembers(tx, { now }, [{ values, isVouchedFor: false }]);
  if (added?.status === 'taken') {
    // Another person's member has the address in this workspace: the new one is without it.
    const free = Object.fromEntries(Object.keys(added.taken).map((field) => [field, null]));
    [added] = await addMembers(tx, { now }, [{ values: { ...values, ...free }, isVouchedFor: false }]);
  }
  if (added?.status !== 'created') {
    throw new Conflict('member_contended', 'The member is being changed by someone else. Try again.');
  }
  const { member } = added;
  await db.identity.memberships.add(
    { workspaceId: tx.workspaceId, memberId: member.id, accountId: account.id, createdAt: now },
    tx,
  );
  recordSignUp(context, tx, member.id, now);
  return { status: 'success', memberId: member.id, roleName: role.name };
}

function recordSignUp({ credential }: SignupContext, tx: Tx, memberId: number, now: Date): void {
  recordAuditOfNobody(tx, { now, source: credential.source }, 'site:signed_up', {
    subject: ['member', memberId],
    actorMemberId: memberId,
  });
}
