import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { EmailOptOutModel } from './models/email-opt-out.js';
import { digestOf } from './recipient-digest.js';

export { emailOptOutSources } from './models/email-opt-out.js';
export type EmailOptOutSource = EmailOptOutModel['source'];
export type EmailOptOut = Pick<EmailOptOutModel, 'source' | 'optedOutAt'>;

/** How long nothing is sent to a mailbox that did not exist. */
const bouncedForMs = 30 * 24 * 3_600_000;

/** How an address, or one with this digest, has opted out of email; undefined if it has not. What stops more comes first. */
export async function findEmailOptOut(
  tx: Tx,
  recipient: string,
  now: Date,
): Promise<EmailOptOutSource | undefined> {
  const inForce = `recipient_digest = ? and (source <> 'bounce' or opted_out_at > ?) order by source = 'link'`;
  const bouncedSince = new Date(now.getTime() - bouncedForMs);
  return (await EmailOptOutModel.first(tx, inForce, [asDigest(tx, recipient), bouncedSince]))?.source;
}

function asDigest(tx: Tx, recipient: string): string {
  return recipient.includes('@') ? digestOf(tx, recipient) : recipient;
}

/** Each source stands beside the others, because each ends in its own way. The latest time counts. */
export async function insertEmailOptOut(
  tx: Tx,
  { recipient, optedOutAt, source }: Pick<EmailOptOutModel, 'recipient' | 'optedOutAt' | 'source'>,
): Promise<void> {
  await EmailOptOutModel.upsert(tx, { recipient, optedOutAt, source }, ['recipient', 'source']);
}

/** Keeps the opt-outs of a member whose address is erased, and the address only as a digest. */
export async function hideEmailOptOuts(tx: Tx, recipient: string): Promise<void> {
  const digest = digestOf(tx, recipient);
  await prepared(
    tx,
    `with same as (
       delete from email_opt_outs t where recipient = ?
         and exists (select from email_opt_outs o where o.source = t.source and o.recipient = ?)
       returning id)
     update email_opt_outs set recipient = ? where recipient = ? and id not in (select id from same)`,
    [recipient, digest, digest, recipient],
  );
}

/** The opt-outs of an address that are in force, each source once. */
export async function selectEmailOptOuts(tx: Tx, recipient: string, now: Date): Promise<EmailOptOut[]> {
  return prepared(
    tx,
    `select source, max(opted_out_at) as "optedOutAt" from email_opt_outs
     where recipient_digest = ? and (source <> 'bounce' or opted_out_at > ?)
     group by source order by source`,
    [digestOf(tx, recipient), new Date(now.getTime() - bouncedForMs)],
  );
}

export async function removeEmailOptOuts(
  tx: Tx,
  recipient: string,
  sources: readonly EmailOptOutSource[],
): Promise<void> {
  const bindings = [asDigest(tx, recipient), sources];
  await EmailOptOutModel.deleteWhere(tx, 'recipient_digest = ? and source = any(?)', bindings);
}

/**
 * Lets replies go to an address again that writes: its mailbox exists, and what it called spam before is now an opt-out of
 * what agents and tasks begin. What was learnt after the mail was received stays.
 */
export async function allowReplies(tx: Tx, recipient: string, receivedAt: Date): Promise<void> {
  await prepared(
    tx,
    `with reported as (
       delete from email_opt_outs where recipient_digest = ? and source in ('bounce', 'complaint') and opted_out_at <= ?
       returning recipient, opted_out_at, source)
     insert into email_opt_outs (workspace_id, recipient, opted_out_at, source)
     select ?, recipient, opted_out_at, 'link' from reported where source = 'complaint'
     on conflict (workspace_id, recipient, source) do nothing`,
    [digestOf(tx, recipient), receivedAt, tx.workspaceId],
  );
}
