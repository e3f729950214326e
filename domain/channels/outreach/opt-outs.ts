import { deleteOptOuts, insertOptOut, markMembersOptedOut } from '../../../db/channels/sms-opt-outs.js';
import type { Tx } from '../../../db/database.js';

export interface SmsOptOut {
  /** The number that must not receive messages. */
  phone: string;
  /** The workspace's number that received the opt-out, or from which the carrier refused to send. */
  sender: string;
  source: 'keyword' | 'carrier';
  now: Date;
}

/**
 * Opts the member with a phone number out of SMS from all numbers of the workspace. The opt-out applies to the member,
 * also with another number, and to the number, also if another member gets it. Locks the member's row; callers lock the
 * chat's row only afterwards.
 */
export async function optOutOfSms(tx: Tx, { phone, sender, source, now }: SmsOptOut): Promise<void> {
  await markMembersOptedOut(tx, phone, now);
  await insertOptOut(tx, { recipient: phone, sender, optedOutAt: now, source });
}

/** Lifts the opt-out of the member with a phone number, from which START was received. */
export async function optInToSms(tx: Tx, phone: string): Promise<void> {
  await markMembersOptedOut(tx, phone, null);
  await deleteOptOuts(tx, phone);
}
