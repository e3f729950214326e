import { createHash } from 'node:crypto';
import type { LoginLimit } from '../../../db/identity/login-limits.js';
import type { SiteRow } from '../../../db/sites/sites.js';
import type { ServiceContext } from '../../kernel/context.js';
import { TooManyRequests } from '../../lib/errors.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** What strangers may do on a site, by the service's clock. `address`: an IPv4 address, or the /56 of an IPv6 one. */
export const visitorLimits = {
  tokensOfAddress: { most: 30, withinMs: hour },
  chatsOfAddress: { most: 20, withinMs: day },
  messagesOfVisitor: { most: 20, withinMs: 5 * minute },
  messagesOfVisitorPerDay: { most: 200, withinMs: day },
  messagesOfAddress: { most: 120, withinMs: hour },
  filesOfVisitor: { most: 10, withinMs: day },
  filesOfAddress: { most: 40, withinMs: day },
  filesOfSite: { most: 200, withinMs: day },
} as const satisfies Record<string, LoginLimit>;

/** The messages of all visitors of a site within a day, for each chat that they may begin within it. */
const messagesOfChat = 25;

interface Counted {
  /** What is counted, and for whom. */
  name: string;
  limit: LoginLimit;
  code: 'rate_limited' | 'too_many_visitor_chats';
}

/** Who does something on which site. */
export interface VisitorPlace {
  site: Pick<SiteRow, 'id' | 'visitorChatsPerDay'>;
  address: string;
  visitorId?: number;
}

const ofVisitor = ({ visitorId }: VisitorPlace) => `visitor ${visitorId}`;
const ofAddress = ({ site, address }: VisitorPlace) => `site ${site.id} address ${address}`;
const ofSite = ({ site }: VisitorPlace) => `site ${site.id}`;
const counted = (name: string, limit: LoginLimit, code: Counted['code'] = 'rate_limited'): Counted => ({
  name,
  limit,
  code,
});

/** Counts a token, and deletes some of the counters that nothing is counted by any more. @throws TooManyRequests */
export async function countToken(context: ServiceContext, place: VisitorPlace): Promise<void> {
  await count(context, [counted(`tokens ${ofAddress(place)}`, visitorLimits.tokensOfAddress)]);
  const { db, clock } = context;
  await db.inIdentity((tx) => db.identity.loginLimits.removeExpired(clock.now(), tx));
}

/**
 * Counts a message, and the chat that it begins: the visitor's own limits come first, so that one visitor uses up its own
 * before those of all. @throws TooManyRequests, also `too_many_visitor_chats`
 */
export function countMessage(
  context: ServiceContext,
  place: VisitorPlace,
  { begins }: { begins: boolean },
): Promise<void> {
  const { visitorChatsPerDay: chats } = place.site;
  const messages = { most: chats * messagesOfChat, withinMs: day };
  return count(context, [
    counted(`messages ${ofVisitor(place)}`, visitorLimits.messagesOfVisitor),
    counted(`messages a day ${ofVisitor(place)}`, visitorLimits.messagesOfVisitorPerDay),
    counted(`messages ${ofAddress(place)}`, visitorLimits.messagesOfAddress),
    ...(begins
      ? [
          counted(`chats ${ofAddress(place)}`, visitorLimits.chatsOfAddress),
          counted(`chats ${ofSite(place)}`, { most: chats, withinMs: day }, 'too_many_visitor_chats'),
        ]
      : []),
    counted(`messages ${ofSite(place)}`, messages, 'too_many_visitor_chats'),
  ]);
}

/** @throws TooManyRequests */
export function countFile(context: ServiceContext, place: VisitorPlace): Promise<void> {
  return count(context, [
    counted(`files ${ofVisitor(place)}`, visitorLimits.filesOfVisitor),
    counted(`files ${ofAddress(place)}`, visitorLimits.filesOfAddress),
    counted(`files ${ofSite(place)}`, visitorLimits.filesOfSite),
  ]);
}

const why = {
  rate_limited: 'Too many messages, files or visits within a short time.',
  too_many_visitor_chats: 'Visitors have written as much on this site today as its team allows.',
} as const;

/** Counts in the order given, until one is full; what was counted stays counted. */
async function count({ db, clock }: ServiceContext, all: readonly Counted[]): Promise<void> {
  const now = clock.now();
  const full = await db.inIdentity(async (tx) => {
    for (const { name, limit, code } of all) {
      const key = createHash('sha256').update(`visitors: ${name}`).digest();
      const freeAt = await db.identity.loginLimits.take(key, limit, now, tx);
      if (freeAt !== undefined) return { freeAt, code };
    }
    return undefined;
  });
  if (full === undefined) return;
  const seconds = Math.max(1, Math.ceil((full.freeAt.getTime() - now.getTime()) / 1_000));
  throw new TooManyRequests(why[full.code], seconds, full.code);
}
