import { findMemberDetails, type MemberDetails } from '../../../db/people/members.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/** Returns the actor's own member, or another one with `members:read`. @throws NotFound, Forbidden */
export async function getMember({ db, actor }: CommandContext, id: number): Promise<MemberDetails> {
  const member = await db.readInWorkspace(actor.workspaceId, (tx) => findMemberDetails(tx, id));
  if (member === undefined) throw new NotFound('Member');
  actor.requireSelfOr(member.id, 'members:read');
  return member;
}
