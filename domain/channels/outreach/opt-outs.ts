import { hasOptedOut, insertOptOut, markOptedOut, removeOptOuts } from '../../../db/channels/sms-opt-outs.js';
import type { Tx } from '../../../db/database.js';
import { findMember, findMemberByPhone } from '../../../db/people/members.js';
import { noteAudit, noteAuditOfNobody } from '../../kernel/audit/note-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { watchOptOut } from './tell-opt-out.js';

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
  const tell = await watchOptOut(tx, 'sms', { phone }, now);
  await markOptedOut(tx, 'phone', phone, now);
  await insertOptOut(tx, { recipient: phone, sender, optedOutAt: now, source });
  noteAuditOfNobody(tx, { now }, 'opt_out:noted', {
    ...(await subjectOf(tx, phone)),
    names: ['sms', source],
  });
  await tell(source);
}

async function subjectOf(tx: Tx, phone: string): Promise<{ subject?: readonly ['member', number] }> {
  const member = await findMemberByPhone(tx, phone);
  return member === undefined ? {} : { subject: ['member', member.id] };
}

/** Lifts the opt-out of the member with a phone number, from which START was received. */
export async function optInToSms(tx: Tx, phone: string, now: Date): Promise<void> {
  const tell = await watchOptOut(tx, 'sms', { phone }, now);
  await markOptedOut(tx, 'phone', phone, null);
  await removeOptOuts(tx, phone);
  noteAuditOfNobody(tx, { now }, 'opt_out:lifted', {
    ...(await subjectOf(tx, phone)),
    names: ['sms', 'keyword'],
  });
  await tell('keyword');
}

/** The caller, or another member with `members:write`. An earlier time is kept. @throws NotFound, Forbidden */
export async function optMemberOutOfSms(context: CommandContext, memberId: number): Promise<void> {
  const { actor, db } = context;
  const now = context.clock.now();
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    if ((await findMember(tx, memberId)) === undefined) throw new NotFound('Member');
    actor.requireSelfOr(memberId, 'members:write');
    const tell = await watchOptOut(tx, 'sms', { memberId }, now);
    await markOptedOut(tx, 'id', memberId, now);
    await tell('request');
    noteAudit(tx, context, 'opt_out:noted', { subject: ['member', memberId], names: ['sms'] });
  });
}

/**
 * No permission allows this for another member, because only the member can consent; nor does a token that others have made
 * for it. @throws NotFound, Conflict `opted_out` outside a session of the member's account
 */
export async function liftOwnSmsOptOut(
  { actor, db, clock }: CommandContext,
  memberId: number,
): Promise<void> {
  if (memberId !== actor.memberId) throw new NotFound('Member');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const member = await findMember(tx, memberId);
    if (member === undefined) throw new NotFound('Member');
    const { smsOptedOutAt, phone } = member;
    if (smsOptedOutAt === null && (phone === null || !(await hasOptedOut(tx, phone)))) return;
    if (!actor.isInPerson) {
      throw new Conflict('opted_out', 'Only a session of the account of the member can lift that.');
    }
    const tell = await watchOptOut(tx, 'sms', { memberId }, clock.now());
    await markOptedOut(tx, 'id', memberId, null);
    if (phone !== null) await removeOptOuts(tx, phone);
    await tell('request');
    noteAudit(tx, { clock, actor }, 'opt_out:lifted', { subject: ['member', memberId], names: ['sms'] });
  });
}
