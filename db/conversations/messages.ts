import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { ownMessages } from './message-pages.js';
import type { ChatRow } from './models/chat.js';
import {
  type MessageAuthor,
  type MessageContent,
  MessageModel,
  type MessageRow,
  type ToolCall,
} from './models/message.js';

export type {
  AudioMetadata,
  ContentPart,
  MessageAuthor,
  MessageContent,
  MessageFile,
  MessageRow,
  MissingMessageFile,
  SmsDeliveryStatus,
  StoredMessageFile,
  ToolCall,
} from './models/message.js';

/** Columns to write; undefined leaves a column as it is. */
type Changes = { [Field in Exclude<keyof MessageRow, 'id' | 'workspaceId'>]?: MessageRow[Field] | undefined };
export type NewMessage = Pick<MessageRow, 'chatId' | 'role'> & { author: MessageAuthor } & Changes;

/** Inserts a message. Triggers lock the chat's row, raise its revision and count messages. */
export async function insertMessage(tx: Tx, message: NewMessage): Promise<MessageRow> {
  return MessageModel.insert(tx, message);
}

export async function findMessage(tx: Tx, messageId: number): Promise<MessageRow | undefined> {
  return MessageModel.find(tx, messageId);
}

export type PinnedMessage = Pick<MessageRow, 'id' | 'chatId' | 'role' | 'subConversationOf'>;

/** Finds a message by its id or uuid, and keeps it from deletion until the transaction ends. */
export async function pinMessage(tx: Tx, idOrUuid: number | string): Promise<PinnedMessage | undefined> {
  const named = typeof idOrUuid === 'number' ? 'id = ?' : 'uuid = ?';
  const fields = ['id', 'chatId', 'role', 'subConversationOf'] as const;
  const [found] = await MessageModel.pick(tx, fields, `${named} for key share`, [idOrUuid]);
  return found;
}

export async function findMessageByUuid(tx: Tx, uuid: string): Promise<MessageRow | undefined> {
  return MessageModel.first(tx, 'uuid = ?', [uuid]);
}

export async function findTurnMessage(
  tx: Tx,
  turnUuid: string,
  turnRound: number,
): Promise<MessageRow | undefined> {
  return MessageModel.first(tx, 'turn_uuid = ? and turn_round = ?', [turnUuid, turnRound]);
}

/** The tool calls of a turn, in their order. */
export async function selectToolCallsOfTurn(tx: Tx, turnUuid: string): Promise<ToolCall[]> {
  const rows = await MessageModel.pick(tx, ['toolCalls'], 'turn_uuid = ? order by turn_round', [turnUuid]);
  return rows.flatMap(({ toolCalls }) => toolCalls);
}

export async function findToolCallMessage(
  tx: Tx,
  chatId: number,
  toolCallId: string,
): Promise<MessageRow | undefined> {
  const withCall = `chat_id = ? and role = 'assistant' and tool_calls @> ?::jsonb order by id desc`;
  return MessageModel.first(tx, withCall, [chatId, JSON.stringify([{ id: toolCallId }])]);
}

export async function findToolResult(
  tx: Tx,
  chatId: number,
  toolCallId: string,
): Promise<MessageRow | undefined> {
  return MessageModel.first(tx, `chat_id = ? and tool_call_id = ? and role = 'tool'`, [chatId, toolCallId]);
}

/** Lists the newest `limit` messages with the results of their tool calls, oldest first, as a model gets them. */
export async function selectRecentHistory(tx: Tx, chatId: number, limit: number): Promise<MessageRow[]> {
  const newest = await MessageModel.where(tx, 'chat_id = ? order by id desc limit ?', [chatId, limit]);
  return newest.reverse();
}

/** Lists everything stored in a chat after a message, in its order. */
export async function selectMessagesAfter(tx: Tx, chatId: number, messageId: number): Promise<MessageRow[]> {
  return MessageModel.where(tx, 'chat_id = ? and id > ? order by id', [chatId, messageId]);
}

/** How many messages, bytes of all together, and bytes that one message counts at most. */
export interface HistoryBounds {
  messages: number;
  bytes: number;
  bytesOfMessage: number;
}

/** Like `selectRecentHistory`, but only the newest messages that fit together, and at least one. */
export async function selectBoundedHistory(
  tx: Tx,
  chatId: number,
  { messages, bytes, bytesOfMessage }: HistoryBounds,
): Promise<MessageRow[]> {
  return prepared<MessageRow>(
    tx,
    `select ${MessageModel.columns} from (
       select newest.*, row_number() over (order by id desc) as place,
         sum(least(value_bytes, ?::int)) over (order by id desc) as bytes_so_far
       from (select * from messages where chat_id = ? order by id desc limit ?) newest
     ) messages
     where place = 1 or bytes_so_far <= ? order by id`,
    [bytesOfMessage, chatId, messages, bytes],
  );
}

/** A mail that the member's mail program sent by itself, such as a vacation notice: it is shown, and nobody wrote it. */
const ofProgram = `(role = 'user' and author is not distinct from 'system')`;

/**
 * Returns who spoke last in a chat. Tool traffic, notes, mails of programs, and keywords such as STOP with their
 * confirmations do not count.
 */
export async function lastSpeaker(tx: Tx, chatId: number): Promise<'user' | 'assistant' | undefined> {
  const [last] = await MessageModel.pick(
    tx,
    ['role'],
    `${ownMessages({ withNotes: false })} and sms_keyword is null and not ${ofProgram} and content is not null
     order by id desc limit 1`,
    [chatId],
  );
  return last?.role as 'user' | 'assistant' | undefined;
}

/** Lists the member's latest texts, newest first, without long messages. */
export async function selectRecentUserTexts(
  tx: Tx,
  chatId: number,
  limit: number,
): Promise<MessageContent[]> {
  const short = `chat_id = ? and role = 'user' and sub_conversation_of is null and pg_column_size(content) < 8192`;
  const rows = await MessageModel.pick(tx, ['content'], `${short} order by id desc limit ?`, [chatId, limit]);
  return rows.map(({ content }) => content).filter((content) => content !== null);
}

const ofMemberAfter = `chat_id = ? and id > ? and role = 'user' and sub_conversation_of is null and sms_keyword is null
  and not ${ofProgram}`;

/** Counts the messages after a given one that the agent must consider: all but keywords such as STOP and mails of programs. */
export async function countUserMessagesAfter(tx: Tx, chatId: number, messageId: number): Promise<number> {
  return MessageModel.count(tx, ofMemberAfter, [chatId, messageId]);
}

/** Whether the member wrote after that message; keywords such as STOP and mails of programs do not count. Reads one row at most. */
export async function hasUserMessageAfter(tx: Tx, chatId: number, messageId: number): Promise<boolean> {
  return MessageModel.exists(tx, ofMemberAfter, [chatId, messageId]);
}

/** Whether a message of the carrier was stored before: the carrier may send it again. */
export async function hasCarrierMessage(tx: Tx, carrierMessageId: string): Promise<boolean> {
  return MessageModel.exists(tx, 'carrier_message_id = ?', [carrierMessageId]);
}

/** Returns the first message of a chat if a person wrote it, with the other messages that its text became. */
export async function selectInitialMessages(
  tx: Tx,
  chat: Pick<ChatRow, 'id' | 'createdByMemberId' | 'assistantMemberId'>,
): Promise<MessageRow[]> {
  if (chat.createdByMemberId === null) return [];
  const first = await MessageModel.first(tx, 'chat_id = ? order by id', [chat.id]);
  if (first === undefined || first.memberId === null || first.memberId === chat.assistantMemberId) return [];
  // They were written in one transaction, and have its time.
  return MessageModel.where(
    tx,
    `chat_id = ? and role = ? and member_id = ?
     and created_at = (select created_at from messages where id = ?) order by id`,
    [chat.id, first.role, first.memberId, first.id],
  );
}

/**
 * When the member of a chat last wrote, without keywords for the carrier, and whether anything was said to it since, before a
 * time. Messages of earlier releases have no author.
 */
export function findLastHeard(tx: Tx, chatId: number, before: Date): Promise<LastHeard | undefined> {
  return findLast(tx, chatId, before, "coalesce(last.author, 'member') = 'member'");
}

/** As `findLastHeard`, of texts that came by the carrier alone. */
export function findLastTexted(tx: Tx, chatId: number, before: Date): Promise<LastHeard | undefined> {
  return findLast(tx, chatId, before, 'last.carrier_message_id is not null');
}

interface LastHeard {
  at: Date;
  isAnswered: boolean;
}

async function findLast(tx: Tx, chatId: number, before: Date, heard: string): Promise<LastHeard | undefined> {
  const [found] = await prepared<LastHeard>(
    tx,
    `select coalesce(last.carrier_received_at, last.created_at) as at, exists(
       select from messages said
       where said.chat_id = last.chat_id and said.id > last.id and said.role = 'assistant'
         and said.content is not null and said.sub_conversation_of is null and said.created_at < ?
     ) as "isAnswered"
     from messages last
     where last.chat_id = ? and last.role = 'user' and ${heard}
       and last.sms_keyword is null and last.sub_conversation_of is null
     order by last.id desc limit 1`,
    [before, chatId],
  );
  return found;
}

/** Whether the member or a colleague has written to the other in a chat after a message: a note is for neither. */
export async function hasPersonWrittenAfter(tx: Tx, chatId: number, messageId: number): Promise<boolean> {
  const later = `chat_id = ? and author in ('member', 'person') and role in ('user', 'assistant') and id > ?`;
  return MessageModel.exists(tx, later, [chatId, messageId]);
}

/** Returns those of the carrier's ids that belong to messages of this workspace. */
export async function selectKnownCarrierIds(
  tx: Tx,
  carrierMessageIds: readonly string[],
): Promise<Set<string>> {
  const known = 'carrier_message_id = any(?)';
  const rows = await MessageModel.pick(tx, ['carrierMessageId'], known, [carrierMessageIds]);
  return new Set(rows.map(({ carrierMessageId }) => carrierMessageId).filter((id) => id !== null));
}

export async function hasSubscriptionWordAfter(tx: Tx, memberId: number, after: Date): Promise<boolean> {
  return MessageModel.exists(
    tx,
    `chat_id in (select id from chats where member_id = ?) and role = 'user' and sms_keyword in ('stop', 'start')
     and coalesce(carrier_received_at, created_at) > ?`,
    [memberId, after],
  );
}

/** Messages whose media are to be fetched from the carrier, in the order of their ids. */
export async function selectMessagesAwaitingMedia(
  tx: Tx,
  page: { after: number; limit: number },
): Promise<Pick<MessageRow, 'id' | 'uuid'>[]> {
  const awaiting = 'media_awaited_since is not null and id > ? order by id limit ?';
  return MessageModel.pick(tx, ['id', 'uuid'], awaiting, [page.after, page.limit]);
}

export async function patchMessage(tx: Tx, messageId: number, changes: Partial<MessageRow>): Promise<void> {
  await MessageModel.updateWhere(tx, changes, 'id = ?', [messageId]);
}

/** Shows in a message what became of its delivery, where it does not show it: an update writes all index entries of the row. */
export async function patchShownDelivery(
  tx: Tx,
  messageId: number,
  shown: Pick<MessageRow, 'smsDeliveryStatus' | 'smsDeliveryErrorCode' | 'smsDeliveryFailureReason'>,
  now: Date,
): Promise<void> {
  const { smsDeliveryStatus, smsDeliveryErrorCode, smsDeliveryFailureReason } = shown;
  const differs = `id = ? and (sms_delivery_status, sms_delivery_error_code, sms_delivery_failure_reason)
    is distinct from (?, ?, ?)`;
  const values = [messageId, smsDeliveryStatus, smsDeliveryErrorCode, smsDeliveryFailureReason];
  await MessageModel.updateWhere(tx, { ...shown, smsDeliveryUpdatedAt: now }, differs, values);
}

/** Finds what was said in a call, or the tools that were called in it, by the id of its item. */
export async function findCallMessage(
  tx: Tx,
  callId: number,
  callItemId: string,
): Promise<MessageRow | undefined> {
  return MessageModel.first(tx, 'call_id = ? and call_item_id = ?', [callId, callItemId]);
}

/** Lists the messages that are to be spoken in a call and were not, in their order. */
export async function selectMessagesToSpeak(
  tx: Tx,
  callId: number,
): Promise<{ id: number; content: MessageContent | null }[]> {
  return MessageModel.pick(
    tx,
    ['id', 'content'],
    `call_id = ? and role = 'assistant' and call_item_id is null and audio_metadata is null
     and content is not null order by id`,
    [callId],
  );
}

/** Whether the assistant was heard in a call. */
export async function hasSpokenInCall(tx: Tx, callId: number): Promise<boolean> {
  const spoken = `call_id = ? and role = 'assistant' and audio_metadata is not null`;
  return MessageModel.exists(tx, spoken, [callId]);
}

/** Lists what people have written in a chat after a message, beside a call; the newest of many. */
export async function selectWrittenAfter(
  tx: Tx,
  chatId: number,
  messageId: number,
  limit: number,
): Promise<Pick<MessageRow, 'id' | 'author' | 'content'>[]> {
  const rows = await MessageModel.pick(
    tx,
    ['id', 'author', 'content'],
    `chat_id = ? and id > ? and author in ('member', 'person') and role in ('user', 'assistant')
     and call_id is null and sub_conversation_of is null and content is not null
     order by id desc limit ?`,
    [chatId, messageId, limit],
  );
  return rows.reverse();
}
