import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

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
