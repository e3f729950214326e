import { deleteOptOuts, markMemberOptedOut } from '../../../db/channels/sms-opt-outs.js';
import { findMember } from '../../../db/people/members.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/** Opts a member out of SMS: oneself, or another with `members:write`. Done twice, the first time stays. @throws NotFound, Forbidden */
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
 * Lifts the opt-out of a member: of oneself only, as nobody else can consent. It is lifted for the member's number as well.
 *
 * @throws NotFound for everybody else, whatever they may do
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
