import type { SessionOwner, SessionRow } from '../../../db/identity/sessions.js';
import { findMember } from '../../../db/people/members.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { idleSince } from './session-lifetime.js';

/**
 * The open sessions made from a member's tokens. Sessions of the account behind it are the person's own.
 * @throws Forbidden, NotFound
 */
export async function listMemberSessions(
  { db, clock, actor }: CommandContext,
  memberId: number,
  page: PageRequest<'lastUsedAt' | 'createdAt'>,
): Promise<PageOf<SessionRow>> {
  actor.require('members:write');
  const member = await db.readInWorkspace(actor.workspaceId, (tx) => findMember(tx, memberId));
  if (member === undefined) throw new NotFound('Member');
  const now = clock.now();
  return db.identity.sessions.listOpen(
    ownedByMember(actor.workspaceId, memberId),
    { now, idleSince: idleSince(now, { ofMember: true }) },
    page,
  );
}

/** Ends one of those sessions. @throws Forbidden, NotFound if it does not exist or has ended */
export async function endMemberSession(
  { db, clock, actor }: CommandContext,
  memberId: number,
  uuid: string,
): Promise<void> {
  actor.require('members:write');
  const owner = ownedByMember(actor.workspaceId, memberId);
  if (!(await db.identity.sessions.end(owner, uuid, clock.now()))) throw new NotFound('Session');
}

function ownedByMember(workspaceId: number, memberId: number): SessionOwner {
  return { accountId: null, workspaceId, memberId };
}
