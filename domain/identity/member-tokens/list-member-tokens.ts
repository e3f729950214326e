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
