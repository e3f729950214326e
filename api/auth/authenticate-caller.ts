import type { AccountRow } from '../../db/identity/models/account.js';
import type { SessionOwner } from '../../db/identity/sessions.js';
import { findMemberAccess } from '../../db/people/member-access.js';
import { hasGrown } from '../../domain/identity/member-tokens/token-grants.js';
import { hashOfIssued } from '../../domain/identity/oauth/hash-of-issued.js';
import { hashSessionToken } from '../../domain/identity/sessions/session-token.js';
import type { AccountCredential } from '../../domain/kernel/account-context.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import { isAdminRole } from '../../domain/kernel/scopes.js';
import { Unauthenticated } from '../../domain/lib/errors.js';
import type { RequestOrigin } from './check-origin.js';
import {
  acceptApiKey,
  acceptOAuthToken,
  acceptSession,
  apiKeyHash,
  isOAuthToken,
  presentedCredential,
} from './credentials.js';
import { sessionTokenIn } from './session-cookie.js';

/** The authenticated caller, across all workspaces: an account, or a member who signed in without one. */
export interface Caller {
  owner: SessionOwner;
  /** Null for a member's session, even if the member has an account: the caller has not proved to be that person. */
  account: AccountRow | null;
  credential: AccountCredential;
  /** The organization whose identity provider has begun the session. */
  organizationUuid?: string | null;
}

/** @throws Unauthenticated, Forbidden for a write with a session cookie from another origin */
export async function authenticateCaller(service: ServiceContext, request: RequestOrigin): Promise<Caller> {
  const presented = presentedCredential(request);
  const caller = await identifyCaller(service, presented, request.resource);
  return { ...caller, credential: { ...caller.credential, source: request.source } };
}

async function identifyCaller(
  service: ServiceContext,
  presented: ReturnType<typeof presentedCredential>,
  resource: string | undefined,
): Promise<Caller> {
  if (presented.kind === 'session') return callerOfSession(service, presented.token);
  return isOAuthToken(presented.token)
    ? callerOfOAuthToken(service, presented.token, resource)
    : callerOfApiKey(service, presented.token);
}

/**
 * The caller by the session cookie alone: a key in `Authorization` has no place on a page. Undefined if nobody is signed in.
 * @throws Forbidden for a write from another origin
 */
export async function callerOfBrowser(
  service: ServiceContext,
  request: RequestOrigin,
): Promise<Caller | undefined> {
  if (sessionTokenIn(request.headers) === undefined) return undefined;
  const { authorization: _, ...headers } = request.headers;
  try {
    return await authenticateCaller(service, { ...request, headers });
  } catch (error) {
    if (error instanceof Unauthenticated) return undefined;
    throw error;
  }
}

async function callerOfOAuthToken(
  service: ServiceContext,
  bearer: string,
  resource: string | undefined,
): Promise<Caller> {
  const found = await service.db.identity.oauthAccessTokens.findByHash(hashOfIssued(bearer));
  if (found === undefined) throw new Unauthenticated();
  const { token, account } = found;
  acceptOAuthToken(service, token, resource);
  const { id, workspaceId, expiresAt } = token;
  const scopes = new Set(token.scopes);
  return {
    owner: ownedBy(account.id),
    account,
    credential: { kind: 'oauth_token', id, scopes, workspaceId, organizationId: null, expiresAt },
  };
}

async function callerOfApiKey(service: ServiceContext, token: string): Promise<Caller> {
  const found = await service.db.identity.apiKeys.findByHash(apiKeyHash(token));
  if (found === undefined) throw new Unauthenticated();
  const { key, account } = found;
  acceptApiKey(service, key, account.enabled);
  const { id, workspaceId, expiresAt } = key;
  const scopes = new Set(key.scopes);
  const credential = { kind: 'api_key', id, scopes, workspaceId, organizationId: null, expiresAt } as const;
  return { owner: ownedBy(account.id), account, credential };
}

async function callerOfSession(service: ServiceContext, token: string): Promise<Caller> {
  const found = await service.db.identity.sessions.findByHash(hashSessionToken(token));
  if (found === undefined) throw new Unauthenticated();
  const { session, account } = found;
  const { id, workspaceId, memberId, organizationId, organizationUuid, roleGrants } = session;
  acceptSession(service, { ...session, ofMember: memberId !== null }, account?.enabled ?? null);
  const begunAt = session.createdAt;
  const limits = { scopes: null, workspaceId, organizationId, expiresAt: null };
  const credential = { kind: 'session', id, ...limits, begunAt } as const;
  if (workspaceId !== null && memberId !== null) {
    const member = await service.db.readInWorkspace(workspaceId, (tx) => findMemberAccess(tx, memberId));
    if (await service.db.identity.organizations.isSsoOnly(workspaceId)) throw new Unauthenticated();
    const mayCall = member !== undefined && member.disabledAt === null && !isAdminRole(member);
    if (!mayCall || hasGrown(roleGrants, member.permissions)) throw new Unauthenticated();
    return { owner: { accountId: null, workspaceId, memberId }, account: null, credential };
  }
  if (account === null) throw new Unauthenticated();
  const caller = { owner: ownedBy(account.id), account, credential };
  if (organizationId === null) return caller;
  if (account.isSuperuser) throw new Unauthenticated();
  return { ...caller, account: asOrganizationKnows(account), organizationUuid };
}

/** What an organization's identity provider may be told of an account: it may have been linked, so its addresses are not the organization's. */
function asOrganizationKnows(account: AccountRow): AccountRow {
  return {
    ...account,
    email: null,
    phone: null,
    emailVerifiedAt: null,
    phoneVerifiedAt: null,
    signupWorkspaceId: null,
    paymentCustomerId: null,
  };
}

function ownedBy(accountId: number): SessionOwner {
  return { accountId, workspaceId: null, memberId: null };
}
