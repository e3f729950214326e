import type { SiteVisitorRow } from '../../../db/identity/models/site-visitor.js';
import { Conflict } from '../../lib/errors.js';
import { chatIsOffered } from './offered-chat.js';
import type { GuestContext } from './visitor-context.js';
import { countToken } from './visitor-limits.js';
import { createVisitorToken, endOfUnused } from './visitor-token.js';

const keptAfterwardsMs = 86_400_000;

/**
 * Makes a token for a browser that is about to write. No member comes of it before the first message.
 * @throws Conflict `chat_not_offered`, TooManyRequests
 */
export async function beginVisit(context: GuestContext): Promise<{ token: string; visitor: SiteVisitorRow }> {
  const { db, clock, workspaceId, site } = context;
  const { siteVisitors } = db.identity;
  await countToken(context, context);
  const now = clock.now();
  return db.inWorkspace(workspaceId, async (tx) => {
    if (!(await chatIsOffered(tx, site))) throw notOffered();
    await siteVisitors.removeExpired(new Date(now.getTime() - keptAfterwardsMs), tx);
    const { token, hash } = createVisitorToken();
    const expiresAt = endOfUnused(now);
    const visitor = await siteVisitors.insert({ siteId: site.id, hash, createdAt: now, expiresAt }, tx);
    return { token, visitor };
  });
}

export function notOffered(): Conflict {
  return new Conflict('chat_not_offered', 'This site offers no chat at the moment.');
}
