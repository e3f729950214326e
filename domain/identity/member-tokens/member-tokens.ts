import type { Database } from '../../../db/database.js';
import type { Claimant } from '../../../db/identity/claims.js';
import type { MemberTokenRow } from '../../../db/identity/models/member-token.js';
import { findMember } from '../../../db/people/members.js';
import type { AnyTx } from '../../../db/tx.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

export async function listMemberTokens(
  { db, clock, actor }: CommandContext,
  memberId: number,
  page: PageRequest<'createdAt'>,
): Promise<PageOf<MemberTokenRow>> {
  actor.require('members:write');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    if ((await findMember(tx, memberId)) === undefined) throw new NotFound('Member');
    return db.identity.memberTokens.listUsable(memberId, clock.now(), page, tx);
  });
}

/** Revokes an unused token. @throws Forbidden, NotFound */
export async function revokeMemberToken(
  { db, clock, actor }: CommandContext,
  memberId: number,
  tokenId: number,
): Promise<void> {
  actor.require('members:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const removed = await db.identity.memberTokens.removeUnused(memberId, tokenId, tx);
    if (!removed) throw new NotFound('Member token');
    recordAudit(tx, { clock, actor }, 'member_token:revoked', { subject: ['member', memberId] });
  });
}

/**
 * Seals access by tokens, which prove nothing: it goes on, and reads no record that is written from now on. A visitor's
 * token ends.
 */
export async function sealMemberAccess(
  { identity }: Pick<Database, 'identity'>,
  tx: AnyTx,
  members: readonly Claimant[],
  now: Date,
): Promise<void> {
  // Tokens go first, as below.
  await identity.memberTokens.sealAllOf(members, now, tx);
  await identity.sessions.sealAllOf(members, now, tx);
  await identity.siteVisitors.endAllOf(members, now, tx);
}

/** Ends access by tokens, which prove nothing. Tokens go first: one that is being used has become a session by then. */
export async function endMemberAccess(
  { identity }: Pick<Database, 'identity'>,
  tx: AnyTx,
  members: readonly Claimant[],
  now: Date,
): Promise<void> {
  if (members.length === 0) return;
  await identity.memberTokens.removeUnusedOf(members, tx);
  await identity.sessions.endAllOf(members, now, tx);
  await identity.siteVisitors.endAllOf(members, now, tx);
}
