import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { InboundEmailModel, type InboundEmailRow, type InboundEmailState } from './models/inbound-email.js';

export type { InboundEmailRow, InboundEmailState } from './models/inbound-email.js';
export { inboundEmailStates } from './models/inbound-email.js';

export type NewInboundEmail = Pick<
  InboundEmailRow,
  'inboxId' | 'objectId' | 'digest' | 'bytes' | 'receivedAt' | 'fromAddress' | 'proved'
>;

/** Inserts a mail, unless the inbox has a copy of it; undefined then. A copy that is being inserted is waited for. */
export async function insertInboundEmail(
  tx: Tx,
  mail: NewInboundEmail,
): Promise<InboundEmailRow | undefined> {
  return InboundEmailModel.insertOnce(tx, mail, ['inboxId', 'digest']);
}

export async function findInboundEmail(tx: Tx, id: number): Promise<InboundEmailRow | undefined> {
  return InboundEmailModel.find(tx, id);
}

export async function findInboundEmailByDigest(
  tx: Tx,
  inboxId: number,
  digest: Buffer,
): Promise<InboundEmailRow | undefined> {
  return InboundEmailModel.first(tx, 'inbox_id = ? and digest = ?', [inboxId, digest]);
}

export async function lockInboundEmail(tx: Tx, id: number): Promise<InboundEmailRow | undefined> {
  return InboundEmailModel.first(tx, 'id = ? for update', [id]);
}

export async function patchInboundEmail(
  tx: Tx,
  id: number,
  changes: Partial<InboundEmailRow>,
): Promise<InboundEmailRow> {
  return InboundEmailModel.patch(tx, id, changes);
}

/** Counts the mails of an inbox that their runs have yet to look at, up to `most`. */
export async function countUnread(tx: Tx, inboxId: number, most: number): Promise<number> {
  return InboundEmailModel.countUpTo(tx, most, `inbox_id = ? and state = 'received'`, [inboxId]);
}

/** The mails whose bytes are kept, up to `most`: of senders who are proved, or of others. */
export async function countKept(
  tx: Tx,
  { proved, most }: { proved: boolean; most: number },
): Promise<{ count: number; bytes: number }> {
  const [row] = await prepared<{ count: number; bytes: number }>(
    tx,
    `select count(*) as count, coalesce(sum(bytes), 0)::bigint as bytes from (
       select bytes from inbound_emails where object_id is not null and proved = ? limit ?
     ) as kept`,
    [proved, most],
  );
  return { count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) };
}

/** Gives up the bytes of the oldest mails: of those that nobody waits for first. */
export async function releaseKept(
  tx: Tx,
  { proved, limit }: { proved: boolean; limit: number },
): Promise<void> {
  await InboundEmailModel.updateWhere(
    tx,
    { objectId: null },
    `id in (
       select id from inbound_emails where object_id is not null and proved = ? and state <> 'received'
       order by needs_response, received_at limit ?)`,
    [proved, limit],
  );
}

/** Mails that their runs have yet to look at, in the order of their ids. */
export async function selectUnread(
  tx: Tx,
  page: { after: number; limit: number },
): Promise<Pick<InboundEmailRow, 'id' | 'uuid' | 'inboxId'>[]> {
  const unread = `state = 'received' and id > ? order by id limit ?`;
  return InboundEmailModel.pick(tx, ['id', 'uuid', 'inboxId'], unread, [page.after, page.limit]);
}

export interface InboundEmailFilter {
  inboxId?: number | undefined;
  state?: InboundEmailState | undefined;
  needsResponse?: boolean | undefined;
}

export async function selectInboundEmails(
  tx: Tx,
  filter: InboundEmailFilter,
  request: PageRequest<'receivedAt'>,
): Promise<PageOf<InboundEmailRow>> {
  const query = InboundEmailModel.query(tx);
  if (filter.inboxId !== undefined) query.where({ inbox_id: filter.inboxId });
  if (filter.state !== undefined) query.where({ state: filter.state });
  if (filter.needsResponse !== undefined) query.where({ needs_response: filter.needsResponse });
  const found = await readPage(query, request, 'received_at', 'id', { neverNull: true });
  return { ...found, items: found.items.map(toRow) };
}

export interface RawMail {
  objectUuid: string;
  bytes: number;
  sha256: Buffer;
}

/** The bytes of a mail; undefined once they are not kept any more. */
export async function findRawMail(tx: Tx, id: number): Promise<RawMail | undefined> {
  const [row] = await prepared<RawMail>(
    tx,
    `select object.uuid as "objectUuid", object.bytes, object.sha256
     from inbound_emails mail
     join stored_objects object on object.workspace_id = mail.workspace_id and object.id = mail.object_id
     where mail.id = ? and object.state = 'stored'`,
    [id],
  );
  return row;
}

/** The reason of a mail with which a chat began. */
export const beganChat = 'new_chat';

/** Counts, up to `most`, the chats that mails to an inbox have begun since a time: all, those of a sender, and of its domain. */
export async function countStarted(
  tx: Tx,
  { inboxId, from, since, most }: { inboxId: number; from: string; since: Date; most: number },
): Promise<{ all: number; ofDomain: number; ofSender: number }> {
  const [row] = await prepared<{ all: number; ofDomain: number; ofSender: number }>(
    tx,
    `select count(*) as "all", count(*) filter (where split_part(from_address, '@', 2) = split_part(?, '@', 2)) as "ofDomain",
       count(*) filter (where from_address = ?) as "ofSender" from (
       select from_address from inbound_emails
       where inbox_id = ? and reason = '${beganChat}' and received_at > ? limit ?
     ) as begun`,
    [from, from, inboxId, since, most],
  );
  return row ?? { all: 0, ofDomain: 0, ofSender: 0 };
}

/** Whether a mail was held within a time, and waits still. */
export async function hasHeldEmails(tx: Tx, { from, until }: { from: Date; until: Date }): Promise<boolean> {
  return InboundEmailModel.exists(tx, 'needs_response and settled_at > ? and settled_at <= ?', [from, until]);
}

/** Counts the mails that wait for a person, up to `most`, and says since when the first one waits. */
export async function countHeldEmails(tx: Tx, most: number): Promise<{ count: number; since: Date | null }> {
  const [counted] = await prepared<{ count: number; since: Date | null }>(
    tx,
    `select count(*)::int as count, min(settled_at) as since
     from (select settled_at from inbound_emails where needs_response order by settled_at limit ?) held`,
    [most],
  );
  return counted ?? { count: 0, since: null };
}

/** Deletes the mails that are about a chat. */
export async function removeInboundEmailsOfChat(tx: Tx, chatId: number): Promise<void> {
  await InboundEmailModel.deleteWhere(tx, 'chat_id = ?', [chatId]);
}

/** Deletes mails that nobody waits for, the oldest first. @returns how many */
export async function removeOldInboundEmails(
  tx: Tx,
  { before, waitingBefore, limit }: { before: Date; waitingBefore: Date; limit: number },
): Promise<number> {
  return InboundEmailModel.deleteWhere(
    tx,
    `id in (
       select id from inbound_emails
       where received_at < ? and state <> 'received' and (not needs_response or received_at < ?)
       order by received_at limit ?)`,
    [before, waitingBefore, limit],
  );
}
