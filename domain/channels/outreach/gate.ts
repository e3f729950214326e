import { countDeliveriesTo } from '../../../db/channels/deliveries.js';
import { hasOptedOut } from '../../../db/channels/sms-opt-outs.js';
import type { AnyTx, Tx } from '../../../db/database.js';
import { countNoticesTo } from '../../../db/events/event-rule-notices.js';
import { hasAccountOptedOut, hasProvedAddress } from '../../../db/identity/account-preferences.js';
import type { IdentityStore } from '../../../db/identity/identity-store.js';
import type { LoginChannel } from '../../../db/identity/login-codes.js';
import { isMemberDisabled } from '../../../db/people/disabled-members.js';
import { findMember, type MemberRow } from '../../../db/people/members.js';

/**
 * What something that reaches out to a member is for: an answer to what the member wrote, something an agent or a colleague
 * begins, a message of a task, a notice of the service. A code that somebody asked for to sign in is `refusalOfCode`.
 */
export type Purpose = 'reply' | 'agent_initiated' | 'task' | 'notice';

export type OutreachChannel = 'phone-sms' | 'phone-voice' | 'email';

/** Why something may not go out. Codes, free of personal data. */
export type OutreachRefusal =
  | 'member_deleted'
  | 'member_disabled'
  | 'opted_out'
  | 'notifications_disabled'
  | 'unproved_address'
  | 'daily_cap';

export interface Outreach {
  purpose: Purpose;
  channel: OutreachChannel;
  memberId: number;
  /** The number or address. */
  recipient: string;
  now: Date;
  /** The delivery that is about to be sent, which does not count against the cap. */
  deliveryId?: number;
}

/** Messages to one number within 24 hours. */
export const mostMessagesADay = 250;
/** Notices to one member within 24 hours. */
export const mostNoticesADay = 20;
const dayMs = 24 * 3_600_000;

/**
 * The one gate for all that reaches out to people: asked when something is queued, and again when it is sent. Whatever
 * else is to keep things from going out (quiet hours, consent, spend) is asked here.
 *
 * @returns why it may not go out; undefined when it may
 */
export async function refusalOf(tx: Tx, outreach: Outreach): Promise<OutreachRefusal | undefined> {
  const { purpose, channel, memberId, recipient } = outreach;
  const member = await findMember(tx, memberId);
  if (member === undefined) return 'member_deleted';
  if (await isMemberDisabled(tx, memberId)) return 'member_disabled';
  if (channel === 'phone-sms') {
    if (member.smsOptedOutAt !== null || (await hasOptedOut(tx, recipient))) return 'opted_out';
    if (await isCapReached(tx, outreach)) return 'daily_cap';
  }
  // Who writes is answered, whatever it has switched off.
  if (purpose === 'reply') return undefined;
  if (!wantsNotifications(member, channel)) return 'notifications_disabled';
  if (await hasAccountOptedOut(tx, memberId)) return 'opted_out';
  return purpose === 'notice' ? refusalOfNotice(tx, outreach) : undefined;
}

/**
 * The same gate for a login code, which belongs to no workspace and which a person asks for: STOP to a workspace's number
 * does not reach it, STOP to the number that codes come from does. How many may go out is counted where they are asked for
 * and where they are claimed.
 */
export async function refusalOfCode(
  tx: AnyTx,
  { codeOptOuts }: Pick<IdentityStore, 'codeOptOuts'>,
  { channel, recipient }: { channel: LoginChannel; recipient: string },
): Promise<Extract<OutreachRefusal, 'opted_out'> | undefined> {
  if (channel === 'email') return undefined;
  return (await codeOptOuts.has(recipient, tx)) ? 'opted_out' : undefined;
}

/** The service itself writes to addresses only that their owners proved: others are the workspace's word. */
async function refusalOfNotice(
  tx: Tx,
  { channel, memberId, recipient, now }: Outreach,
): Promise<OutreachRefusal | undefined> {
  const address = { channel: channel === 'email' ? 'email' : 'phone', address: recipient } as const;
  if (!(await hasProvedAddress(tx, memberId, address))) return 'unproved_address';
  const sent = await countNoticesTo(tx, memberId, new Date(now.getTime() - dayMs));
  return sent >= mostNoticesADay ? 'daily_cap' : undefined;
}

function wantsNotifications(member: MemberRow, channel: OutreachChannel): boolean {
  if (channel === 'phone-sms') return member.notifySms;
  return channel === 'email' ? member.notifyEmail : member.notifyVoice;
}

async function isCapReached(tx: Tx, { recipient, now, deliveryId }: Outreach): Promise<boolean> {
  const since = new Date(now.getTime() - dayMs);
  const bounds = { since, except: deliveryId ?? 0, most: mostMessagesADay };
  return (await countDeliveriesTo(tx, recipient, bounds)) >= mostMessagesADay;
}
