import { deleteOptOuts, markMemberOptedOut } from '../../../db/channels/sms-opt-outs.js';
import { findMember } from '../../../db/people/members.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/**
 * Opts a member out of SMS: the caller, or another member with `members:write`. If the member has already opted out,
 * the first time is kept.
 *
 * @throws NotFound, Forbidden
 */
export async function optMemberOutOfSms(context: CommandContext, memberId: number): Promise<void> {
  const { actor, db } = context;
  const now = context.clock.now();
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    if ((await findMember(tx, memberId)) === undefined) throw new NotFound('Member');
    actor.requireSelfOr(memberId, 'members:write');
    await markMemberOptedOut(tx, memberId, now);
  });
}

/**
 * Lifts the SMS opt-out of the caller and of the caller's number. Only the member can consent, so no permission allows
 * this for another member.
 *
 * @throws NotFound for any other member
 */
export async function liftOwnSmsOptOut({ actor, db }: CommandContext, memberId: number): Promise<void> {
  if (memberId !== actor.memberId) throw new NotFound('Member');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const member = await findMember(tx, memberId);
    if (member === undefined) throw new NotFound('Member');
    await markMemberOptedOut(tx, memberId, null);
    if (member.phone !== null) await deleteOptOuts(tx, member.phone);
  });
}
