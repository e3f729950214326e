import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { SmsOptOutModel } from './models/sms-opt-out.js';
import { digestOf } from './recipient-digest.js';

/** By the number, or by its digest. */
const ofRecipient = 'recipient = any(array[?::text, ?::text])';

export async function hasOptedOut(tx: Tx, recipient: string): Promise<boolean> {
  return SmsOptOutModel.exists(tx, ofRecipient, [recipient, digestOf(tx, recipient)]);
}

export async function insertOptOut(
  tx: Tx,
  optOut: Pick<SmsOptOutModel, 'recipient' | 'sender' | 'optedOutAt' | 'source'>,
): Promise<void> {
  await SmsOptOutModel.insertOnce(tx, optOut, ['recipient', 'sender']);
}

export async function removeOptOuts(tx: Tx, recipient: string): Promise<void> {
  await SmsOptOutModel.deleteWhere(tx, ofRecipient, [recipient, digestOf(tx, recipient)]);
}

/** Keeps the opt-out of a member whose number is erased, and the number only as a digest. */
export async function insertOptOutOfErased(tx: Tx, recipient: string, optedOutAt: Date): Promise<void> {
  await insertOptOut(tx, {
    recipient: digestOf(tx, recipient),
    sender: 'any',
    optedOutAt,
    source: 'keyword',
  });
}

/** Records since when a member wants no SMS, or with null that it wants them. An earlier time is kept. */
export async function markOptedOut(
  tx: Tx,
  by: 'id' | 'phone',
  value: number | string,
  at: Date | null,
): Promise<void> {
  await prepared(
    tx,
    `update members set sms_opted_out_at = case when ?::timestamptz is null then null
       else coalesce(sms_opted_out_at, ?::timestamptz) end
     where ${by} = ? and deleted_at is null`,
    [at, at, value],
  );
}
