import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { containsPattern } from '../lib/contains-pattern.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { InboxModel, type InboxRow } from './models/inbox.js';

export type { InboxRow, SmtpSecurity } from './models/inbox.js';
export { smtpSecurities } from './models/inbox.js';

export type InboxSort = 'address' | 'createdAt' | 'updatedAt';

export type NewInbox = Omit<
  InboxRow,
  | 'id'
  | 'workspaceId'
  | 'previousSecretHash'
  | 'previousSecret'
  | 'previousSecretUntil'
  | 'attachmentsToldAt'
  | 'updatedAt'
>;

const sortColumns = { address: 'address', createdAt: 'created_at', updatedAt: 'updated_at' } as const;

/** @param filter `search` matches parts of the address or of the sender's name */
export async function selectInboxes(
  tx: Tx,
  filter: { search?: string | undefined },
  request: PageRequest<InboxSort>,
): Promise<PageOf<InboxRow>> {
  const query = InboxModel.query(tx);
  if (filter.search !== undefined) {
    const pattern = containsPattern(filter.search);
    query.where((either) => {
      either.where('address', 'ilike', pattern).orWhere('from_name', 'ilike', pattern);
    });
  }
  const found = await readPage(query, request, sortColumns[request.sortBy], 'id');
  return { ...found, items: found.items.map(toRow) };
}

export async function findInbox(tx: Tx, id: number): Promise<InboxRow | undefined> {
  return InboxModel.find(tx, id);
}

export async function findInboxByAddress(tx: Tx, address: string): Promise<InboxRow | undefined> {
  return InboxModel.first(tx, 'address = ?', [address]);
}

/** Nothing new can refer to the row until the transaction ends. */
export async function lockInbox(tx: Tx, id: number): Promise<InboxRow | undefined> {
  return InboxModel.first(tx, 'id = ? for update', [id]);
}

/** The first inboxes that are in use: of a workflow if one is given, else of the workspace. */
export async function selectEnabledInboxes(
  tx: Tx,
  { definitionId, limit }: { definitionId?: number | undefined; limit: number },
): Promise<InboxRow[]> {
  if (definitionId === undefined) return InboxModel.where(tx, 'enabled order by id limit ?', [limit]);
  return InboxModel.where(tx, 'enabled and definition_id = ? order by id limit ?', [definitionId, limit]);
}

/** The first inboxes that emails may be from which name none: those of the workflow that are in use, else all in use. */
export async function selectDefaultInboxes(
  tx: Tx,
  definitionId: number | null,
  limit: number,
): Promise<InboxRow[]> {
  if (definitionId !== null) {
    const ofWorkflow = await selectEnabledInboxes(tx, { definitionId, limit });
    if (ofWorkflow.length > 0) return ofWorkflow;
  }
  return selectEnabledInboxes(tx, { limit });
}

export async function countInboxes(tx: Tx): Promise<{ all: number; enabled: number }> {
  const [row] = await prepared<{ all: number; enabled: number }>(
    tx,
    'select count(*) as "all", count(*) filter (where enabled) as enabled from inboxes',
    [],
  );
  return row ?? { all: 0, enabled: 0 };
}

/** Inserts an inbox and returns its row; undefined when the workspace has an inbox with this address already. */
export async function insertInbox(tx: Tx, values: NewInbox): Promise<InboxRow | undefined> {
  return InboxModel.insertOnce(tx, { ...values, updatedAt: values.createdAt }, ['address']);
}

export async function patchInbox(
  tx: Tx,
  id: number,
  changes: Partial<InboxRow> & { updatedAt: Date },
): Promise<InboxRow> {
  return InboxModel.patch(tx, id, changes);
}

/** Stores that a colleague is alerted because attachments were not kept. @returns whether none was since a time */
export async function claimAttachmentsTold(
  tx: Tx,
  id: number,
  { now, before }: { now: Date; before: Date },
): Promise<boolean> {
  const isDue = 'id = ? and (attachments_told_at is null or attachments_told_at <= ?)';
  return (await InboxModel.updateWhere(tx, { attachmentsToldAt: now }, isDue, [id, before])) > 0;
}

export async function isInboxInUse(tx: Tx, id: number): Promise<boolean> {
  const used = await prepared(
    tx,
    `select 1 where exists (select from chats where inbox_id = ?)
       or exists (select from emails where inbox_id = ?) or exists (select from messages where inbox_id = ?)
       or exists (select from inbound_emails where inbox_id = ? and (state = 'received' or needs_response))`,
    [id, id, id, id],
  );
  return used.length > 0;
}

export async function removeInbox(tx: Tx, id: number): Promise<void> {
  await InboxModel.deleteWhere(tx, 'id = ?', [id]);
}
