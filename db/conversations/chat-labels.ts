import type { LabelTable } from '../lib/labels.js';
import type { Tx } from '../tx.js';
import { ChatLabelLinkModel, ChatLabelModel } from './models/chat-label.js';

export const chatLabelTable: LabelTable = {
  model: ChatLabelModel,
  noun: 'chat',
  lock: 'for update',
};

/** Returns those of these labels that exist, and protects them from deletion until the transaction ends. */
export async function pinChatLabels(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await ChatLabelModel.pick(tx, ['id'], 'id = any(?) order by id for key share', [ids]);
  return new Set(rows.map(({ id }) => id));
}

/** Replaces the labels of a chat with these, which must be pinned. */
export async function replaceChatLabels(tx: Tx, chatId: number, labelIds: Iterable<number>): Promise<void> {
  const kept = [...new Set(labelIds)];
  const others = 'chat_id = ? and chat_label_id <> all(?::bigint[])';
  await ChatLabelLinkModel.deleteWhere(tx, others, [chatId, kept]);
  await addChatLabels(tx, chatId, kept);
}

/** Gives a chat these labels, which must be pinned, beside those that it has. */
export async function addChatLabels(tx: Tx, chatId: number, labelIds: Iterable<number>): Promise<void> {
  const added = [...labelIds];
  if (added.length === 0) return;
  await ChatLabelLinkModel.query(tx)
    .insert(added.map((chatLabelId) => ({ workspaceId: tx.workspaceId, chatId, chatLabelId })))
    .onConflict(['workspace_id', 'chat_id', 'chat_label_id'])
    .ignore();
}
