import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { queryInIndexOrder } from '../lib/index-order.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { MessageModel } from './models/message.js';
import {
  ScheduledMessageModel,
  type ScheduledMessageRow,
  type ScheduledMessageState,
} from './models/scheduled-message.js';

export type { ScheduledMessageRow, ScheduledMessageState } from './models/scheduled-message.js';

export type ScheduledMessageSort = 'sendAt' | 'createdAt';

const sortColumns = { sendAt: 'send_at', createdAt: 'created_at' } as const;

export type ScheduledMessageValues = Pick<
  ScheduledMessageRow,
  | 'chatId'
  | 'authorMemberId'
  | 'apiKeyId'
  | 'message'
  | 'fileIds'
  | 'sendAt'
  | 'seenMessageId'
  | 'seenWaitingSince'
>;

export async function insertScheduledMessage(
  tx: Tx,
  values: ScheduledMessageValues,
): Promise<ScheduledMessageRow> {
  return ScheduledMessageModel.insert(tx, values);
}

export async function findScheduledMessage(tx: Tx, id: number): Promise<ScheduledMessageRow | undefined> {
  return ScheduledMessageModel.find(tx, id);
}

/** Lists the scheduled messages in these states, of one chat or of the workspace. */
export async function selectScheduledMessages(
  tx: Tx,
  { chatId, states }: { chatId?: number; states: readonly ScheduledMessageState[] },
  page: PageRequest<ScheduledMessageSort>,
): Promise<PageOf<ScheduledMessageRow>> {
  const query = ScheduledMessageModel.query(tx).whereIn('state', [...states]);
  if (chatId !== undefined) query.where({ chat_id: chatId });
  const found = await readPage(query, page, sortColumns[page.sortBy], 'id', { neverNull: true });
  return { ...found, items: found.items.map(toRow) };
}

export async function patchScheduledMessage(
  tx: Tx,
  id: number,
  changes: Partial<ScheduledMessageRow>,
): Promise<ScheduledMessageRow> {
  return ScheduledMessageModel.patch(tx, id, { ...changes, updatedAt: new Date() });
}

/** Counts the pending messages of a chat and of its workspace, each up to a number. */
export async function countPendingMessages(
  tx: Tx,
  chatId: number,
  most: { ofChat: number; ofWorkspace: number },
): Promise<{ ofChat: number; ofWorkspace: number }> {
  const [counted] = await prepared<{ ofChat: number; ofWorkspace: number }>(
    tx,
    `select
       (select count(*)::int from (select from scheduled_messages
         where chat_id = ? and state = 'pending' limit ?) of_chat) as "ofChat",
       (select count(*)::int from (select from scheduled_messages
         where state = 'pending' limit ?) of_workspace) as "ofWorkspace"`,
    [chatId, most.ofChat, most.ofWorkspace],
  );
  return counted ?? { ofChat: 0, ofWorkspace: 0 };
}

/** Cancels the pending messages of a chat because of something that happened in it, and returns them. */
export async function cancelPendingMessages(
  tx: Tx,
  chatId: number,
  at: Date,
): Promise<ScheduledMessageRow[]> {
  return prepared<ScheduledMessageRow>(
    tx,
    `update scheduled_messages set state = 'cancelled', settled_at = ?, updated_at = now()
     where chat_id = ? and state = 'pending' returning ${ScheduledMessageModel.columns}`,
    [at, chatId],
  );
}

/** Lists the pending messages that are due by a time, in order of id. */
export async function selectDueMessages(
  tx: Tx,
  { by, after, limit }: { by: Date; after: number; limit: number },
): Promise<Pick<ScheduledMessageRow, 'id' | 'uuid'>[]> {
  return queryInIndexOrder(tx, {
    text: `select id, uuid from scheduled_messages where state = 'pending' and send_at <= ? and id > ?
     order by id limit ?`,
    bindings: [by, after, limit],
  });
}

/** The newest message of a chat, notes and tool traffic included; 0 if there is none. */
export async function newestMessageId(tx: Tx, chatId: number): Promise<number> {
  const [newest] = await MessageModel.pick(tx, ['id'], 'chat_id = ? order by id desc limit 1', [chatId]);
  return newest?.id ?? 0;
}
