import type { WithinWorkspaces } from '../../../db/database.js';
import type { Claim } from '../../../db/identity/claims.js';
import type { AccountRow } from '../../../db/identity/models/account.js';
import type { IdentityProviderRow } from '../../../db/identity/models/identity-provider.js';
import type { OrganizationRow } from '../../../db/identity/models/organization.js';
import type { OrganizationMemberRow } from '../../../db/identity/models/organization-member.js';
import type { SessionRow } from '../../../db/identity/models/session.js';
import { findMemberAccess } from '../../../db/people/member-access.js';
import type { IdentityTx } from '../../../db/tx.js';
import { type AccountContext, requireSession } from '../../kernel/account-context.js';
import {
  countOrganizationRefusal,
  recordAccountAudit,
  recordOrganizationAudit,
} from '../../kernel/audit/record-audit.js';
import { isAdminRole } from '../../kernel/scopes.js';
import { normalizeEmail } from '../../lib/email.js';
import type { Encryption } from '../../lib/encryption.js';
import { Conflict, Forbidden, NotFound, Unauthenticated, Unavailable } from '../../lib/errors.js';
import { bindIdentifiers } from '../../people/members/unproved-identifiers.js';
import { endMemberAccess } from '../member-tokens/member-tokens.js';
import { findOrganization } from '../organizations/public-organization.js';
import { requireOrganization } from '../organizations/require-organization.js';
import type { AnonymousContext } from '../sessions/anonymous-context.js';
import { isOpen } from '../sessions/session-lifetime.js';
import { createSessionToken, hashSessionToken, isWellFormedSessionToken } from '../sessions/session-token.js';
import { beginSession, type StartedSession } from '../sessions/sign-in.js';
import type {
  ExternalClaims,
  IdentityProviders,
  ProviderFailure,
  RegisteredClient,
} from './identity-providers.js';
import { flowSeconds, type KeptFlow, newFlow, openFlow, sealFlow } from './sso-flow.js';
import { secretContext } from './sso-settings.js';

/** How long the identity provider is taken at its word: who has left is out after this time. */
const ssoSessionMs = 12 * 3_600_000;

export interface SignOnServices {
  encryption: Encryption;
  providers: IdentityProviders;
  /** Of an organization, at its provider. */
  redirectUriOf: (organizationUuid: string) => string;
}

/** Where to send the browser, and what to keep in it until it is back. */
export interface StartedFlow {
  url: string;
  sealed: string;
  seconds: number;
}

/** Begins signing in by the provider of an organization. @throws NotFound, Unavailable, Unauthenticated */
export async function beginSignOn(
  context: AnonymousContext & SignOnServices,
  uuidOrSlug: string,
  returnTo: string,
): Promise<StartedFlow> {
  const organization = await findOrganization(context, uuidOrSlug);
  const over = await openSessionOf(context);
  return begin(context, organization, { overSessionId: over?.id ?? null, linkSessionId: null, returnTo });
}

/**
 * Begins linking the caller's account to a person of the provider. The caller is signed in by a code and a member, so that
 * nobody else's account is linked. @throws NotFound, Unavailable, Forbidden `superuser_not_linked`
 */
export async function beginLinking(
  context: AccountContext & AnonymousContext & SignOnServices,
  organizationUuid: string,
  returnTo: string,
): Promise<StartedFlow> {
  requireSession(context);
  const { organization } = await requireOrganization(context, organizationUuid, 'member');
  if (context.account.isSuperuser) {
    const why =
      'A superuser signs in by a code only: no identity provider of an organization speaks for one.';
    throw new Forbidden('no superuser', why, 'superuser_not_linked');
  }
  return begin(context, organization, {
    overSessionId: context.credential.id,
    linkSessionId: context.credential.id,
    returnTo,
  });
}

async function begin(
  context: AnonymousContext & SignOnServices,
  organization: OrganizationRow,
  about: Pick<KeptFlow, 'overSessionId' | 'linkSessionId' | 'returnTo'>,
): Promise<StartedFlow> {
  const provider = await context.db.identity.identityProviders.find(organization.id);
  if (provider === undefined) throw new NotFound('Identity provider');
  const { issuer, clientId } = provider;
  const { uuid: organizationUuid } = organization;
  const flow = newFlow(context.clock.now(), { ...about, organizationUuid, issuer, clientId });
  const begun = await context.providers.begin(clientOf(context, organization, provider), flow);
  if ('failure' in begun) throw failed(begun.failure);
  return { url: begun.url, sealed: sealFlow(context.encryption, flow), seconds: flowSeconds };
}

export interface SignedOn {
  returnTo: string;
  begun: StartedSession;
  organizationToken: string;
  organizationSeconds: number;
}

/**
 * Ends a flow that this browser has begun: signs the person in, which joins the organization. An identity is that of an
 * organization, its issuer and a subject: the address that comes with it leads to no account.
 * @throws NotFound, Unauthenticated `sso_refused`, Forbidden `member_disabled`, Conflict `identity_linked`, Unavailable
 */
export async function completeSignOn(
  context: AnonymousContext & SignOnServices,
  organizationUuid: string,
  { sealed, query }: { sealed: string | undefined; query: string },
): Promise<SignedOn> {
  const { db, clock, encryption } = context;
  const flow = sealed === undefined ? undefined : openFlow(encryption, sealed, clock.now());
  if (flow?.organizationUuid !== organizationUuid.toLowerCase()) throw refused();
  const open = await openSessionOf(context);
  // A link is of the session that has asked for it, and of no other that is in the browser by now.
  if (flow.linkSessionId !== null && flow.linkSessionId !== open?.id) throw refused();
  // The person was asked about the session that was open when the sign-in began, and about no other.
  if (open !== undefined && flow.overSessionId !== open.id) throw refused();
  const organization = await findOrganization(context, organizationUuid);
  const provider = await db.identity.identityProviders.find(organization.id);
  if (provider?.issuer !== flow.issuer || provider.clientId !== flow.clientId) throw refused();
  try {
    return await signOn(context, { organization, provider, flow, query, open });
  } catch (error) {
    const isRefused =
      error instanceof Unauthenticated || error instanceof Forbidden || error instanceof Conflict;
    if (isRefused) await recordRefused(context, organization, error.code);
    throw error;
  }
}

/** Records a refusal that the provider or the organization decided on: what comes without a flow is anybody's. */
async function recordRefused(
  { db, clock, visitor }: AnonymousContext,
  { id }: OrganizationRow,
  reason: string,
): Promise<void> {
  await db.inIdentity(async (tx) =>
    countOrganizationRefusal(tx, { now: clock.now(), source: visitor }, id, reason),
  );
}

async function signOn(
  context: AnonymousContext & SignOnServices,
  {
    organization,
    provider,
    flow,
    query,
    open,
  }: {
    organization: OrganizationRow;
    provider: IdentityProviderRow;
    flow: KeptFlow;
    query: string;
    open: SessionRow | undefined;
  },
): Promise<SignedOn> {
  const { db, clock, providers } = context;
  const answer = await providers.complete(clientOf(context, organization, provider), flow, query);
  if ('failure' in answer) throw failed(answer.failure);
  const claims = accepted(provider, answer.claims);
  return db.inIdentity(async (tx, within) => {
    const now = clock.now();
    const current = await db.identity.organizations.lockByUuid(organization.uuid, tx);
    const standing = await db.identity.identityProviders.find(organization.id, tx);
    if (current === undefined || standing?.issuer !== flow.issuer) throw refused();
    const account = await accountOf(context, tx, { organization, flow, claims, open });
    // A superuser may do what no organization may: its provider signs none in, whenever the account has become one.
    if (!account.enabled || account.isSuperuser) throw refused();
    const before = await db.identity.organizationMembers.find(organization.id, account.id, tx);
    const member = await db.identity.organizationMembers.add(
      {
        organizationId: organization.id,
        accountId: account.id,
        role: 'member',
        name: claims.name ?? account.name,
        email: claims.email ?? null,
        joinedBy: 'sso',
        createdAt: now,
      },
      tx,
    );
    if (member.status === 'disabled') {
      throw new Forbidden(
        'an enabled member',
        'The member is disabled in this organization.',
        'member_disabled',
      );
    }
    await takeMembers(context, tx, within, { organization, provider, account, claims });
    const owner = { accountId: account.id, workspaceId: null, memberId: null };
    const { session, token: sessionToken } = await beginSession(context, tx, owner);
    const { token, hash } = createSessionToken();
    const endsAt = new Date(now.getTime() + ssoSessionMs);
    await db.identity.organizationSessions.begin(
      {
        organizationId: organization.id,
        sessionId: session.id,
        accountId: account.id,
        hash,
        bySso: true,
        createdAt: now,
        expiresAt: endsAt,
      },
      tx,
    );
    // The provider speaks for its organization. Who was signed in by a code in this browser goes on with what that proved.
    const isOwn = open !== undefined && open.accountId === account.id && open.organizationId === null;
    const confines = isOwn
      ? { organizationId: null, expiresAt: open.expiresAt }
      : { organizationId: organization.id, expiresAt: endsAt };
    const confined = await db.identity.sessions.confine(session.id, confines, tx);
    recordSignOn(context, tx, { member, isNew: before === undefined, sessionId: session.id });
    return {
      returnTo: flow.returnTo,
      begun: { session: confined, token: sessionToken },
      organizationToken: token,
      organizationSeconds: ssoSessionMs / 1_000,
    };
  });
}

/** Records a sign-in in the logs of the organization and the account. */
function recordSignOn(
  { clock, visitor }: AnonymousContext,
  tx: IdentityTx,
  { member, isNew, sessionId }: { member: OrganizationMemberRow; isNew: boolean; sessionId: number },
): void {
  const { id, organizationId, accountId } = member;
  const by = { now: clock.now(), source: visitor };
  const subject = ['organization_member', id] as const;
  const names = ['sso'];
  if (isNew) {
    recordOrganizationAudit(tx, { ...by, member }, organizationId, 'organization_member:added', {
      subject,
      names,
    });
    const joined = { subject: ['organization', organizationId], names } as const;
    recordAccountAudit(tx, by, accountId, 'organization:joined', joined);
  }
  recordOrganizationAudit(tx, { ...by, member }, organizationId, 'session:begun', { subject, names });
  recordAccountAudit(tx, by, accountId, 'session:begun', { subject: ['session', sessionId], names });
}

/** The session of an account that is open in the browser. */
async function openSessionOf({ db, clock, visitor }: AnonymousContext): Promise<SessionRow | undefined> {
  const token = visitor.sessionToken;
  if (token === undefined || !isWellFormedSessionToken(token)) return undefined;
  const found = await db.identity.sessions.findByHash(hashSessionToken(token));
  if (found === undefined || !isOpen({ ...found.session, ofMember: false }, clock.now())) return undefined;
  return found.session;
}

/** The account of an identity: the known one, that of the session that asks to be linked, or a new one without addresses. */
async function accountOf(
  { db, clock, visitor }: AnonymousContext,
  tx: IdentityTx,
  {
    organization,
    flow,
    claims,
    open,
  }: {
    organization: OrganizationRow;
    flow: KeptFlow;
    claims: ExternalClaims;
    open: SessionRow | undefined;
  },
): Promise<AccountRow> {
  const { accounts, externalIdentities } = db.identity;
  const now = clock.now();
  const { subject, name } = claims;
  const identity = { organizationId: organization.id, issuer: flow.issuer, subject };
  const known = await externalIdentities.find(identity, tx);
  const isLinking = flow.linkSessionId !== null;
  const linking = isLinking && open?.organizationId === null ? open.accountId : null;
  if (isLinking && linking === null) throw refused();
  if (known !== undefined) {
    if (linking !== null && linking !== known.accountId) {
      const why = 'The identity provider knows this person by another account.';
      throw new Conflict('identity_linked', why);
    }
    await externalIdentities.touch(known.id, now, tx);
  }
  const id =
    known?.accountId ??
    linking ??
    (await accounts.create({ name: name ?? null, createdAt: now, updatedAt: now }, tx)).id;
  if (known === undefined) {
    await externalIdentities.insert({ ...identity, accountId: id }, now, tx);
    const note = { subject: ['organization', organization.id] } as const;
    recordAccountAudit(tx, { now, source: visitor }, id, 'identity:linked', note);
  }
  const account = await accounts.lock(id, tx);
  if (account === undefined) throw refused();
  return account;
}

/**
 * Gives the account those members of the organization's workspaces that have the address and that no person has signed in
 * as, if the organization says that the domain is its own. Members with an admin role are not given.
 */
async function takeMembers(
  { db, clock }: AnonymousContext,
  tx: IdentityTx,
  within: WithinWorkspaces,
  {
    organization,
    provider,
    account,
    claims,
  }: {
    organization: OrganizationRow;
    provider: IdentityProviderRow;
    account: AccountRow;
    claims: ExternalClaims;
  },
): Promise<void> {
  const email = claims.email === undefined ? null : normalizeEmail(claims.email);
  if (email === null || claims.emailVerified === false) return;
  if (!provider.emailDomains.includes(domainOf(email))) return;
  const { accounts, claims: claimed, organizations } = db.identity;
  const own = new Set((await organizations.workspacesOf(organization.id, tx)).map(({ id }) => id));
  const inside = (await claimed.hold('email', email, tx)).filter(({ workspaceId }) => own.has(workspaceId));
  const alone = await accounts.lockAlone(
    inside.flatMap(({ accountId }) => accountId ?? []),
    tx,
  );
  const open: Claim[] = [];
  for (const claim of inside) {
    if (claim.accountId !== null && !alone.includes(claim.accountId)) continue;
    const member = await within.readInWorkspace(claim.workspaceId, (entered) =>
      findMemberAccess(entered, claim.memberId),
    );
    if (member !== undefined && !isAdminRole(member)) open.push(claim);
  }
  const given = await claimed.give(account.id, open, clock.now(), tx);
  await endMemberAccess(db, tx, given, clock.now());
  for (const { workspaceId, memberId } of given) {
    await within.inWorkspace(workspaceId, (entered) =>
      bindIdentifiers(entered, { now: clock.now() }, memberId, { email, phone: null }),
    );
  }
}

/** Refuses people whose address is of another domain, or not theirs. @throws Unauthenticated */
function accepted(provider: IdentityProviderRow, claims: ExternalClaims): ExternalClaims {
  if (provider.emailDomains.length === 0) return claims;
  const email = claims.email === undefined ? null : normalizeEmail(claims.email);
  const isInside = email !== null && provider.emailDomains.includes(domainOf(email));
  if (!isInside || claims.emailVerified === false) throw refused();
  return claims;
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

function clientOf(
  { encryption, redirectUriOf }: SignOnServices,
  { id, uuid }: OrganizationRow,
  { issuer, clientId, clientSecret }: IdentityProviderRow,
): RegisteredClient {
  const secret = encryption.decrypt(clientSecret, secretContext(id));
  return { issuer, clientId, clientSecret: secret, redirectUri: redirectUriOf(uuid) };
}

function refused(): Unauthenticated {
  return new Unauthenticated(
    'Signing in by the identity provider was refused, or took too long.',
    'sso_refused',
  );
}

function failed(failure: ProviderFailure): Unauthenticated | Unavailable {
  if (failure === 'refused') return refused();
  const what = failure === 'keys_changed' ? 'has changed its keys' : 'did not answer';
  return new Unavailable(`The identity provider ${what}. Try again.`, 5, 'identity_provider_unavailable');
}
