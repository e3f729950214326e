import type { SessionRow } from '../../../db/identity/sessions.js';
import { offsetOf, type PageOf, type PageRequest } from '../../lib/paging.js';
import { idleSince } from './session-lifetime.js';
import type { SessionsContext } from './sessions-context.js';

/** The open sessions of the caller. */
export async function listSessions(
  { db, clock, owner }: SessionsContext,
  page: PageRequest<'lastUsedAt' | 'createdAt'>,
): Promise<PageOf<SessionRow>> {
  const now = clock.now();
  return db.identity.sessions.listOpen(
    owner,
    { now, idleSince: idleSince(now, { ofMember: owner.memberId !== null }) },
    { sortBy: page.sortBy, sortOrder: page.sortOrder, limit: page.pageSize, offset: offsetOf(page) },
  );
}
