import type { IncomingHttpHeaders } from 'node:http';
import type { EnteredMembership } from '../../db/identity/memberships.js';
import type { SessionInWorkspace } from '../../db/identity/sessions.js';
import { findEnteredMember, type MemberAccess } from '../../db/people/member-access.js';
import type { EnteredTx } from '../../db/tx.js';
import { hasGrown, within } from '../../domain/identity/member-tokens/token-grants.js';
import { hashOfIssued } from '../../domain/identity/oauth/hash-of-issued.js';
import { hashSessionToken, isWellFormedSessionToken } from '../../domain/identity/sessions/session-token.js';
import { requireSso } from '../../domain/identity/single-sign-on/sso-only.js';
import { Actor, type CredentialKind } from '../../domain/kernel/actor.js';
import type { ServiceContext } from '../../domain/kernel/context.js';
import { isAdminRole } from '../../domain/kernel/scopes.js';
import { Forbidden, NotFound, Unauthenticated } from '../../domain/lib/errors.js';
import type { RequestOrigin } from './check-origin.js';
import {
  acceptApiKey,
  acceptOAuthToken,
  acceptSession,
  apiKeyHash,
  bearerToken,
  isOAuthToken,
  presentedCredential,
} from './credentials.js';
import { organizationTokenIn } from './session-cookie.js';

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Whether a text has the form of a UUID. The database refuses others with an error. */
export function isUuid(text: string): boolean {
  return uuidForm.test(text);
}

const nowhere = '00000000-0000-0000-0000-000000000000';

type Prefetch = (tx: EnteredTx) => Promise<unknown>;

interface Identified
  extends EnteredMembership,
    Pick<SessionInWorkspace, 'accountId' | 'ofMember' | 'roleGrants' | 'granted'>,
    Partial<Pick<SessionInWorkspace, 'sealedAt'>> {
  credential: {
    kind: CredentialKind;
    id: number;
    scopes: string[] | null;
    organizationId?: number | null;
  };
  /** Undefined if the member does not exist or was removed. */
  member: MemberAccess | undefined;
}

/**
 * Authenticates the caller as a member of the workspace in the path, with one message to the database. An unknown
 * workspace and one of which the caller is no member both answer 404. `prefetch` has further queries to send along:
 * they run in that workspace, or in none if the credential is valid for none.
 * @throws Unauthenticated, NotFound, Forbidden for a write with a session cookie from another origin
 */
export async function authenticateMember(
  service: ServiceContext,
  request: RequestOrigin,
  workspaceUuid: string,
  prefetch?: Prefetch,
): Promise<Actor> {
  const uuid = uuidForm.test(workspaceUuid) ? workspaceUuid.toLowerCase() : nowhere;
  const { kind, token } = presentedCredential(request);
  const presented = { kind, token, resource: request.resource };
  const place = { uuid, organizationHash: organizationHashIn(request.headers) };
  return actorOf(service, request, await identify(service, presented, place, prefetch), uuid);
}

/**
 * Authenticates the caller as a member of the workspace that its OAuth token is for. No other credential is accepted.
 * @param prepare called for a token that could be one. @returns further queries to send along
 * @throws Unauthenticated, also where the person is no longer a member: only another consent helps; Forbidden
 */
export async function authenticateGrant(
  service: ServiceContext,
  request: RequestOrigin,
  prepare?: () => Promise<Prefetch | undefined>,
): Promise<Actor> {
  const token = bearerToken(request.headers);
  if (!isOAuthToken(token)) throw new Unauthenticated();
  const presented = { token, resource: request.resource };
  const identified = await identifyOAuthToken(service, presented, null, await prepare?.());
  if (identified.workspaceUuid === null || identified.member === undefined) throw new Unauthenticated();
  return actorOf(service, request, identified, identified.workspaceUuid);
}

function actorOf(
  service: ServiceContext,
  { source }: RequestOrigin,
  identified: Identified,
  uuid: string,
): Actor {
  const { workspaceId, memberId, member, supportEndsAt, supportLost } = identified;
  if (workspaceId === null || memberId === null || member === undefined) throw new NotFound('Workspace');
  const supportIsOver = supportEndsAt !== null && supportEndsAt <= service.clock.now();
  if (supportLost || supportIsOver) throw new NotFound('Workspace');
  requireSso(identified, service.clock.now());
  if (member.disabledAt !== null) {
    throw new Forbidden('an enabled member', 'The member is disabled in this workspace.', 'member_disabled');
  }
  const { ofMember, roleGrants, granted } = identified;
  if (ofMember && (isAdminRole(member) || hasGrown(roleGrants, member.permissions)))
    throw new Unauthenticated();

  return new Actor({
    workspaceId,
    workspaceUuid: uuid,
    accountId: identified.accountId,
    memberId,
    memberRoleId: member.memberRoleId,
    permissions: ofMember ? within(granted, member.permissions) : member.permissions,
    // A form gives a token to whoever it has made a member, and `members:impersonate` one to those whom the workspace knows.
    isKnown: !ofMember || member.isRecorded,
    sealedAt: identified.sealedAt ?? null,
    credential: { ...identified.credential, source },
  });
}

function identify(
  service: ServiceContext,
  { kind, token, resource }: { kind: 'bearer' | 'session'; token: string; resource: string | undefined },
  place: Parameters<typeof identifySession>[2],
  prefetch: Prefetch | undefined,
): Promise<Identified> {
  if (kind === 'session') return identifySession(service, token, place, prefetch);
  return isOAuthToken(token)
    ? identifyOAuthToken(service, { token, resource }, place.uuid, prefetch)
    : identifyApiKey(service, token, place.uuid, prefetch);
}

async function identifyOAuthToken(
  { db, clock }: ServiceContext,
  presented: { token: string; resource: string | undefined },
  uuid: string | null,
  prefetch: Prefetch | undefined,
): Promise<Identified & { workspaceUuid: string | null }> {
  const hash = hashOfIssued(presented.token);
  const [token, member] = await db.readEntering(
    (tx) => Promise.all([db.identity.oauthAccessTokens.enterByHash(tx, hash, uuid), findEnteredMember(tx)]),
    prefetch,
  );
  if (token === undefined) throw new Unauthenticated();
  acceptOAuthToken({ db, clock }, token, presented.resource);
  const { id, scopes } = token;
  return {
    ...token,
    ofMember: false,
    roleGrants: null,
    granted: null,
    member,
    credential: { kind: 'oauth_token', id, scopes },
  };
}

async function identifyApiKey(
  { db, clock }: ServiceContext,
  token: string,
  uuid: string,
  prefetch: Prefetch | undefined,
): Promise<Identified> {
  const hash = apiKeyHash(token);
  const [key, member] = await db.readEntering(
    (tx) => Promise.all([db.identity.apiKeys.enterByHash(tx, hash, uuid), findEnteredMember(tx)]),
    prefetch,
  );
  if (key === undefined) throw new Unauthenticated();
  acceptApiKey({ db, clock }, key, key.accountEnabled);
  const { id, scopes } = key;
  return {
    ...key,
    ofMember: false,
    roleGrants: null,
    granted: null,
    member,
    credential: { kind: 'api_key', id, scopes },
  };
}

async function identifySession(
  { db, clock }: ServiceContext,
  token: string,
  { uuid, organizationHash }: { uuid: string; organizationHash: Buffer | null },
  prefetch: Prefetch | undefined,
): Promise<Identified> {
  const hash = hashSessionToken(token);
  const [session, member] = await db.readEntering(
    (tx) =>
      Promise.all([
        db.identity.sessions.enterByHash(tx, hash, uuid, organizationHash),
        findEnteredMember(tx),
      ]),
    prefetch,
  );
  if (session === undefined) throw new Unauthenticated();
  acceptSession({ db, clock }, session, session.accountEnabled);
  const { id, organizationId } = session;
  return { ...session, member, credential: { kind: 'session', id, scopes: null, organizationId } };
}

function organizationHashIn(headers: IncomingHttpHeaders): Buffer | null {
  const token = organizationTokenIn(headers);
  return token !== undefined && isWellFormedSessionToken(token) ? hashSessionToken(token) : null;
}
