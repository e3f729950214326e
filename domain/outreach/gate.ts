import type { Tx } from '../../db/database.js';
import { hasAccountOptedOut } from '../../db/identity/account-preferences.js';
import { countDeliveriesTo } from '../../db/queries/deliveries.js';
import { isMemberDisabled } from '../../db/queries/disabled-members.js';
import { findMember, type MemberRow } from '../../db/queries/members.js';
import { hasOptedOut } from '../../db/queries/sms-opt-outs.js';

/**
 * What something that reaches out is for: an answer to what the member wrote, something an agent or a colleague begins, a
 * message of a task, a notice of the service, a code that somebody asked for to sign in.
 */
export type Purpose = 'reply' | 'agent_initiated' | 'task' | 'notice' | 'login_code';

export type OutreachChannel = 'phone-sms' | 'phone-voice' | 'email';

/** Why something may not go out. Codes, free of personal data. */
export type OutreachRefusal =
  | 'member_deleted'
  | 'member_disabled'
  | 'opted_out'
  | 'notifications_disabled'
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
const dayMs = 24 * 3_600_000;

/**
 * The one gate for all that reaches out to people: asked when something is queued, and again when it is sent. Whatever
 * else is to keep things from going out (quiet hours, consent, spend) is asked here.
 *
 * @returns why it may not go out; undefined when it may
 */
export async function refusalOf(tx: Tx, outreach: Outreach): Promise<OutreachRefusal | undefined> {
  const { purpose, channel, memberId, recipient } = outreach;
  // Asked for by the person itself, and bounded where codes are asked for.
  if (purpose === 'login_code') return undefined;
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
  return (await hasAccountOptedOut(tx, memberId)) ? 'opted_out' : undefined;
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
