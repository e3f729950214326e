import { deleteOptOuts, insertOptOut, markMembersOptedOut } from '../../../db/channels/sms-opt-outs.js';
import type { Tx } from '../../../db/database.js';

export interface SmsOptOut {
  /** The number that is not to be written to. */
  phone: string;
  /** The workspace's number that the opt-out was sent to, or that the carrier refused. */
  sender: string;
  source: 'keyword' | 'carrier';
  now: Date;
}

/**
 * Opts the member with a number out of SMS, from every number of the workspace: the opt-out follows the member to another
 * number, and stays with the number if another member gets it. The member's row is locked before the chat's.
 */
export async function optOutOfSms(tx: Tx, { phone, sender, source, now }: SmsOptOut): Promise<void> {
  await markMembersOptedOut(tx, phone, now);
  await insertOptOut(tx, { recipient: phone, sender, optedOutAt: now, source });
}

/** Lifts the opt-out of the member with a number: it has sent START from there. */
export async function optInToSms(tx: Tx, phone: string): Promise<void> {
  await markMembersOptedOut(tx, phone, null);
  await deleteOptOuts(tx, phone);
}
