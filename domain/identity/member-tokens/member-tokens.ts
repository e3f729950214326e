import type { MemberTokenRow } from '../../../db/identity/member-tokens.js';
import { findMember } from '../../../db/people/members.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import { offsetOf, type PageOf, type PageRequest } from '../../lib/paging.js';

/** A member's tokens that can still be used. @throws Forbidden, NotFound */
export async function listMemberTokens(
  { db, clock, actor }: CommandContext,
  memberId: number,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<MemberTokenRow>> {
  actor.require('members:write');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    if ((await findMember(tx, memberId)) === undefined) throw new NotFound('Member');
    const { sortOrder, pageSize: limit } = page;
    return db.identity.memberTokens.listUsable(
      memberId,
      clock.now(),
      { sortOrder, limit, offset: offsetOf(page) },
      tx,
    );
  });
}

/** Revokes an unused token. @throws Forbidden, NotFound */
export async function revokeMemberToken(
  { db, actor }: CommandContext,
  memberId: number,
  tokenId: number,
): Promise<void> {
  actor.require('members:write');
  const removed = await db.inWorkspace(actor.workspaceId, (tx) =>
    db.identity.memberTokens.removeUnused(memberId, tokenId, tx),
  );
  if (!removed) throw new NotFound('Member token');
}
