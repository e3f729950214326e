import { hasOptedOut, insertOptOut, markOptedOut, removeOptOuts } from '../../../db/channels/sms-opt-outs.js';
import type { Tx } from '../../../db/database.js';
import { findMember } from '../../../db/people/members.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';

export interface SmsOptOut {
  /** The number that must not receive messages. */
  phone: string;
  /** The workspace's number that received the opt-out, or from which the carrier refused to send. */
  sender: string;
  source: 'keyword' | 'carrier';
  now: Date;
}

/**
 * The opt-out applies to the member, also with another number, and to the number, also if another member gets it.
 * Locks the member's row; callers lock the chat's row only afterwards.
 */
export async function optOutOfSms(tx: Tx, { phone, sender, source, now }: SmsOptOut): Promise<void> {
  await markOptedOut(tx, 'phone', phone, now);
  await insertOptOut(tx, { recipient: phone, sender, optedOutAt: now, source });
}

/** Lifts the opt-out of the member with a phone number, from which START was received. */
export async function optInToSms(tx: Tx, phone: string): Promise<void> {
  await markOptedOut(tx, 'phone', phone, null);
  await removeOptOuts(tx, phone);
}

/** The caller, or another member with `members:write`. An earlier time is kept. @throws NotFound, Forbidden */
export async function optMemberOutOfSms(context: CommandContext, memberId: number): Promise<void> {
  const { actor, db } = context;
  const now = context.clock.now();
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    if ((await findMember(tx, memberId)) === undefined) throw new NotFound('Member');
    actor.requireSelfOr(memberId, 'members:write');
    await markOptedOut(tx, 'id', memberId, now);
  });
}

/**
 * No permission allows this for another member, because only the member can consent; nor does a token that others have made
 * for it. @throws NotFound, Conflict `opted_out` outside a session of the member's account
 */
export async function liftOwnSmsOptOut({ actor, db }: CommandContext, memberId: number): Promise<void> {
  if (memberId !== actor.memberId) throw new NotFound('Member');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const member = await findMember(tx, memberId);
    if (member === undefined) throw new NotFound('Member');
    const { smsOptedOutAt, phone } = member;
    if (smsOptedOutAt === null && (phone === null || !(await hasOptedOut(tx, phone)))) return;
    if (!actor.isInPerson) {
      throw new Conflict('opted_out', 'Only a session of the account of the member can lift that.');
    }
    await markOptedOut(tx, 'id', memberId, null);
    if (phone !== null) await removeOptOuts(tx, phone);
  });
}
