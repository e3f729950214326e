import { findEmailOptOut } from '../../../db/channels/email-opt-outs.js';
import { hasOptedOutOfCalls } from '../../../db/channels/opt-out-proofs.js';
import { hasOptedOut } from '../../../db/channels/sms-opt-outs.js';
import { subscribedEventTypes } from '../../../db/events/events.js';
import {
  findMemberByEmail,
  findMemberByPhone,
  lockMember,
  type MemberRow,
  selectMemberDetails,
} from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import {
  memberOptedInEvent,
  memberOptedOutEvent,
  type OptOutChannel,
  type OptOutSource,
} from '../../kernel/events/member-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';

/** Whose opt-out is written: a member's, or that of whoever has the number or address. */
type Whose = { memberId: number } | { phone: string } | { email: string };

/**
 * To be called before an opt-out is written or lifted: notes how things stand, and locks the member. What it returns is called
 * afterwards, and tells receivers if that has changed. Asks nothing where no rule listens.
 */
export async function watchOptOut(
  tx: Tx,
  channel: OptOutChannel,
  whose: Whose,
  now: Date,
): Promise<(source: OptOutSource) => Promise<void>> {
  const subscribed = await subscribedEventTypes(tx);
  const isAwaited = subscribed.has('member:opted_out') || subscribed.has('member:opted_in');
  const found = isAwaited ? await memberOf(tx, whose) : undefined;
  const member = found && (await lockMember(tx, found.id));
  if (member === undefined) return async () => {};
  const before = await isOptedOut(tx, channel, member, now);
  return async (source) => {
    const [after] = await selectMemberDetails(tx, [member.id]);
    if (after === undefined) return;
    const isOut = await isOptedOut(tx, channel, after, now);
    if (isOut === before) return;
    const event = isOut ? memberOptedOutEvent(after, channel, source) : memberOptedInEvent(after, channel);
    await writeEvents(tx, [event], now);
  };
}

/** An address may be given by its digest, of which nobody knows whose it is. */
async function memberOf(tx: Tx, whose: Whose): Promise<Pick<MemberRow, 'id'> | undefined> {
  if ('memberId' in whose) return { id: whose.memberId };
  return 'phone' in whose ? findMemberByPhone(tx, whose.phone) : findMemberByEmail(tx, whose.email);
}

async function isOptedOut(
  tx: Tx,
  channel: OptOutChannel,
  { id: memberId, phone, email, smsOptedOutAt }: MemberRow,
  now: Date,
): Promise<boolean> {
  if (channel === 'email') return email !== null && (await findEmailOptOut(tx, email, now)) !== undefined;
  if (channel === 'calls') return hasOptedOutOfCalls(tx, { memberId, recipient: phone });
  return smsOptedOutAt !== null || (phone !== null && (await hasOptedOut(tx, phone)));
}
