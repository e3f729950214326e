import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import type { Tx } from '../database.js';
import { containsPattern } from '../lib/contains-pattern.js';
import { readPage } from '../lib/read-page.js';
import { toRow, toRowOrUndefined } from '../lib/tenant-model.js';
import { ChatModel } from './models/chat.js';
import { ChatLabelModel, type ChatLabelRow } from './models/chat-label.js';
import { ChatLabelLinkModel } from './models/chat-label-link.js';

export type { ChatLabelRow } from './models/chat-label.js';

export type ChatLabelValues = Pick<ChatLabelRow, 'name' | 'slug' | 'color' | 'description'>;

export type ChatLabelSortField = 'name' | 'slug' | 'createdAt';

const sortColumns: Record<ChatLabelSortField, string> = {
  name: 'name',
  slug: 'slug',
  createdAt: 'created_at',
};

/** Lists a page of the workspace's labels; `search` matches parts of name or slug. */
export async function listChatLabels(
  tx: Tx,
  filter: { search?: string | undefined },
  page: PageRequest<ChatLabelSortField>,
): Promise<PageOf<ChatLabelRow>> {
  const query = ChatLabelModel.query(tx);
  if (filter.search !== undefined) {
    const part = containsPattern(filter.search);
    query.where((any) => {
      any.whereILike('name', part).orWhereILike('slug', part);
    });
  }
  const found = await readPage(query, page, sortColumns[page.sortBy], 'id');
  return { ...found, items: found.items.map(toRow) };
}

export async function findChatLabel(tx: Tx, id: number): Promise<ChatLabelRow | undefined> {
  return toRowOrUndefined(await ChatLabelModel.query(tx).findById(id));
}

export async function insertChatLabel(tx: Tx, values: ChatLabelValues, now: Date): Promise<ChatLabelRow> {
  const timestamps = { createdAt: now, updatedAt: now };
  return toRow(
    await ChatLabelModel.query(tx)
      .insert({ ...values, ...timestamps, workspaceId: tx.workspaceId })
      .returning('*'),
  );
}

export async function updateChatLabel(
  tx: Tx,
  id: number,
  changes: Partial<ChatLabelValues>,
  now: Date,
): Promise<ChatLabelRow | undefined> {
  const [row] = await ChatLabelModel.query(tx)
    .patch({ ...changes, updatedAt: now })
    .where({ id })
    .returning('*');
  return toRowOrUndefined(row);
}

/**
 * Deletes a label, and removes it from the chats that have it. Locks are taken in the same order as when a chat is
 * labelled: first the label, then the chats, which all change, in the order of their ids.
 *
 * @returns whether the label existed
 */
export async function deleteChatLabel(tx: Tx, id: number): Promise<boolean> {
  if ((await ChatLabelModel.query(tx).findById(id).forUpdate()) === undefined) return false;
  const labelled = ChatLabelLinkModel.query(tx).select('chat_id').where({ chat_label_id: id });
  await ChatModel.query(tx).select('id').whereIn('id', labelled).orderBy('id').forUpdate();
  await ChatLabelModel.query(tx).deleteById(id);
  return true;
}

/** Returns those of these labels that exist, and protects them from deletion until the transaction ends. */
export async function pinChatLabels(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await ChatLabelModel.query(tx)
    .select('id')
    .findByIds([...ids])
    .orderBy('id')
    .forKeyShare();
  return new Set(rows.map(({ id }) => id));
}

/** Replaces the labels of a chat with these, which must be pinned. */
export async function replaceChatLabels(tx: Tx, chatId: number, labelIds: Iterable<number>): Promise<void> {
  const kept = [...new Set(labelIds)];
  await ChatLabelLinkModel.query(tx).delete().where({ chat_id: chatId }).whereNotIn('chat_label_id', kept);
  if (kept.length === 0) return;
  await ChatLabelLinkModel.query(tx)
    .insert(kept.map((chatLabelId) => ({ workspaceId: tx.workspaceId, chatId, chatLabelId })))
    .onConflict(['workspace_id', 'chat_id', 'chat_label_id'])
    .ignore();
}
