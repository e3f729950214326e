import { selectList } from '../lib/table-model.js';
import { type Cut, cutOf, type Sized, withinBytes } from '../lib/within-bytes.js';
import { prepared, statement } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import { MessageModel, type MessageRow, type StoredMessageFile } from './models/message.js';

interface MessageFilter {
  chatId: number;
  withNotes: boolean;
}

/** Limits in the text of the statement; others are rounded up to one of them, so that there are few texts. */
const writtenLimits = [10, 25, 50, 100];

/** What is shown of a message: rows have twice as many fields, and reading one takes time even where it is empty. */
const shownFields = [
  'uuid',
  'role',
  'author',
  'content',
  'originalContent',
  'files',
  'toolCalls',
  'toolCallId',
  'suggestions',
  'truncationReason',
  'truncatedAtMs',
  'memberId',
  'taskId',
  'emailId',
  'inboxId',
  'tokenUsage',
  'audioFileUuid',
  'audioMetadata',
  'userRating',
  'userRatingComment',
  'createdAt',
  'smsDeliveryStatus',
  'smsDeliveryErrorCode',
  'smsDeliveryUpdatedAt',
  'smsDeliveryFailureReason',
] as const;
export type ShownMessage = Pick<MessageRow, (typeof shownFields)[number]>;
const shownColumns = selectList(MessageModel.tableName, shownFields);

/** `selectMessages` without the fields that nobody is shown. */
export async function selectShownMessages(
  tx: EnteredTx,
  filter: MessageFilter,
  limit: number,
  offset: number,
): Promise<ShownMessage[]> {
  return readMessages(tx, shownColumns, filter, limit, offset);
}

/**
 * Lists the chat's own messages, newest first, as far as they fit into a read: fewer than `limit` does not mean that
 * the chat has no more. Inner conversations of tool calls are left out.
 */
export async function selectMessages(
  tx: EnteredTx,
  filter: MessageFilter,
  limit: number,
  offset: number,
): Promise<MessageRow[]> {
  return readMessages(tx, MessageModel.columns, filter, limit, offset);
}

async function readMessages<Row>(
  tx: EnteredTx,
  columns: string,
  filter: MessageFilter,
  limit: number,
  offset: number,
): Promise<Row[]> {
  // With a limit as a parameter, PostgreSQL plans the statement each time, which takes far longer than executing it.
  const written = offset === 0 ? writtenLimits.find((one) => one >= limit) : undefined;
  const isWritten = written !== undefined;
  const { text, bindings } = withinBytes({
    text: pageOfMessages(
      ownMessages(filter),
      'order by id desc',
      isWritten ? `limit ${written}` : 'limit ? offset ?',
      columns,
    ),
    bindings: [filter.chatId, ...(isWritten ? [] : [limit, offset])],
  });
  return cutOf(await prepared<Sized<Row>>(tx, text, bindings)).items.slice(0, limit);
}

/** A file as it was sent with a message that people see in the chat; undefined: with none of them. */
export async function findFileOfChat(
  tx: EnteredTx,
  chatId: number,
  fileId: number,
): Promise<StoredMessageFile | undefined> {
  const [found] = await MessageModel.pick(
    tx,
    ['files'],
    `${ownMessages({ withNotes: false })} and files @> ?::jsonb order by id desc limit 1`,
    [chatId, JSON.stringify([{ status: 'stored', fileId }])],
  );
  return found?.files.find(
    (file): file is StoredMessageFile => file.status === 'stored' && file.fileId === fileId,
  );
}

export interface MessageRange extends MessageFilter {
  order: 'asc' | 'desc';
  /** A revision of the chat. */
  upTo: number;
  /** Where to go on: beyond this revision of the chat, and in it beyond the message if `entryId` is 0. */
  after?: { revision: number; entryId: number } | undefined;
  limit: number;
}

/** Lists what was said or noted in a chat, in the order of its revisions, as far as it fits into a read. */
export async function selectMessagesFrom(tx: Tx, range: MessageRange): Promise<Cut<MessageRow>> {
  const { order, upTo, after, limit } = range;
  const beyond = order === 'asc' ? '>' : after?.entryId === 0 ? '<' : '<=';
  const from = after ? `and created_revision ${beyond} ?` : '';
  const { text, bindings } = withinBytes({
    text: pageOfMessages(
      `${ownMessages(range)} and content is not null and created_revision <= ? ${from}`,
      `order by created_revision ${order}`,
      'limit ?',
    ),
    bindings: [range.chatId, upTo, ...(after ? [after.revision] : []), limit],
  });
  return cutOf(await statement<Sized<MessageRow>>(tx, text, bindings));
}

/**
 * Lists the result of a tool call and the messages of its inner conversation, newest first, as far as they fit into a
 * read.
 */
export async function selectToolCallMessages(
  tx: Tx,
  { chatId, withNotes, toolCallId }: MessageFilter & { toolCallId: string },
  limit: number,
  offset: number,
): Promise<MessageRow[]> {
  const { text, bindings } = withinBytes({
    text: pageOfMessages(
      `chat_id = ? and (sub_conversation_of = ?
        or (role = 'tool' and tool_call_id = ? and sub_conversation_of is null))${shownRoles(withNotes)}`,
      'order by id desc',
      'limit ? offset ?',
    ),
    bindings: [chatId, toolCallId, toolCallId, limit, offset],
  });
  return cutOf(await prepared<Sized<MessageRow>>(tx, text, bindings)).items;
}

export async function countMessages(tx: EnteredTx, filter: MessageFilter): Promise<number> {
  return MessageModel.count(tx, ownMessages(filter), [filter.chatId]);
}

/** A page of messages, for `withinBytes`. */
export function pageOfMessages(
  condition: string,
  order: string,
  limit: string,
  columns = MessageModel.columns,
): string {
  return `select ${columns}, value_bytes as "valueBytes" from messages where ${condition} ${order} ${limit}`;
}

/** The condition for the messages of a chat itself; its binding is the chat. */
export function ownMessages({ withNotes }: Pick<MessageFilter, 'withNotes'>): string {
  return `chat_id = ? and sub_conversation_of is null${shownRoles(withNotes)}`;
}

function shownRoles(withNotes: boolean): string {
  return withNotes ? '' : ` and role in ('user', 'assistant')`;
}
