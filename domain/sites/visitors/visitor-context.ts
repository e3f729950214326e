import type { SiteVisitorRow } from '../../../db/identity/models/site-visitor.js';
import { findMemberAccess } from '../../../db/people/member-access.js';
import { findSiteByUuid, type SiteRow } from '../../../db/sites/sites.js';
import { Actor } from '../../kernel/actor.js';
import type { RequestSource } from '../../kernel/audit/record-audit.js';
import type { ModelsContext } from '../../kernel/context.js';
import { Conflict, Forbidden, NotFound, Unauthenticated } from '../../lib/errors.js';
import { endAfterUse, hashVisitorToken, isWellFormedVisitorToken, useNotedEveryMs } from './visitor-token.js';

/** A caller at a public site, who may be nobody. */
export interface GuestContext extends ModelsContext {
  workspaceId: number;
  workspaceUuid: string;
  site: SiteRow;
  /** Where the request comes from, as it is counted. */
  address: string;
}

/** A visitor of a public site, by the token of its browser. */
export interface VisitorContext extends GuestContext {
  visitor: SiteVisitorRow;
  /** The visitor's member; undefined before the first message. It has no permissions. */
  actor: Actor | undefined;
  /** As quotas count the caller. */
  credential: { kind: 'visitor_token'; id: number };
}

interface Place {
  workspaceUuid: string;
  siteUuid: string;
  address: string;
}

/** What the commands of a visitor's own chat need, and nothing else. */
const scopes = ['chats:read', 'chats:write', 'files:read', 'files:write'] as const;

/** @param place uuids that have the form of one @throws NotFound for a site that is not public */
export async function enterSite(context: ModelsContext, place: Place): Promise<GuestContext> {
  const workspace = await context.db.identity.workspaces.findByUuid(place.workspaceUuid.toLowerCase());
  if (workspace === undefined) throw new NotFound('Site');
  const site = await context.db.readInWorkspace(workspace.id, (tx) =>
    findSiteByUuid(tx, place.siteUuid.toLowerCase()),
  );
  if (site?.isPublic !== true) throw new NotFound('Site');
  const { id: workspaceId, uuid: workspaceUuid } = workspace;
  return { ...context, workspaceId, workspaceUuid, site, address: place.address };
}

/**
 * The visitor whose token this is, at the site that it was made for. @throws NotFound, Unauthenticated, Forbidden for a disabled
 * member
 */
export async function enterAsVisitor(
  context: ModelsContext,
  place: Place,
  { token, source }: { token: string; source: RequestSource | undefined },
): Promise<VisitorContext> {
  if (!isWellFormedVisitorToken(token)) throw new Unauthenticated();
  const now = context.clock.now();
  const visitor = await context.db.identity.siteVisitors.findInForce(hashVisitorToken(token), now);
  if (visitor === undefined) throw new Unauthenticated();
  const guest = await enterSite(context, place);
  const isHere = visitor.workspaceId === guest.workspaceId && visitor.siteId === guest.site.id;
  if (!isHere) throw new Unauthenticated();
  const actor = await actorOf(guest, visitor, source);
  recordUse(context, visitor);
  return { ...guest, visitor, actor, credential: { kind: 'visitor_token', id: visitor.id } };
}

async function actorOf(
  { db, workspaceId, workspaceUuid }: GuestContext,
  { id, memberId }: SiteVisitorRow,
  source: RequestSource | undefined,
): Promise<Actor | undefined> {
  if (memberId === null) return undefined;
  const member = await db.readInWorkspace(workspaceId, (tx) => findMemberAccess(tx, memberId));
  if (member === undefined) throw new Unauthenticated();
  if (member.disabledAt !== null) {
    throw new Forbidden('an enabled member', 'The member is disabled in this workspace.', 'member_disabled');
  }
  const { memberRoleId } = member;
  return actorOfVisitor({ workspaceId, workspaceUuid, memberId, memberRoleId, visitorId: id, source });
}

/** A visitor acts without the permissions of its member's role, whatever they become. */
export function actorOfVisitor({
  visitorId,
  source,
  ...ids
}: Pick<Actor, 'workspaceId' | 'workspaceUuid' | 'memberId' | 'memberRoleId'> & {
  visitorId: number;
  source?: RequestSource | undefined;
}): Actor {
  const credential = { kind: 'visitor_token', id: visitorId, scopes, source } as const;
  return new Actor({ ...ids, accountId: null, permissions: [], isKnown: false, credential });
}

function recordUse({ db, clock }: ModelsContext, visitor: SiteVisitorRow): void {
  const now = clock.now();
  if (visitor.memberId === null || now.getTime() - visitor.lastUsedAt.getTime() < useNotedEveryMs) return;
  // The request neither waits for this update nor fails with it: the next request repeats it.
  const expiresAt = endAfterUse(visitor, now);
  db.identity.siteVisitors.touch(visitor.id, { at: now, expiresAt }).catch(() => {});
}

/** What a visitor may do once its chat has begun. @throws Conflict `chat_not_begun` */
export function requireChat({ visitor, actor, ...context }: VisitorContext) {
  const { chatId } = visitor;
  if (actor === undefined || chatId === null) {
    throw new Conflict('chat_not_begun', 'The chat begins with its first message.');
  }
  return { ...context, actor, chatId };
}
