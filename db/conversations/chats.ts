import { queryInIndexOrder } from '../lib/index-order.js';
import type { EnteredTx, Tx } from '../tx.js';
import { ChatModel, type ChatRow } from './models/chat.js';

export type { Channel, ChatRow } from './models/chat.js';

/** Columns to write; undefined leaves a column as it is. Commands name the ones that they accept. */
export type ChatChanges = { [Field in Exclude<keyof ChatRow, 'workspaceId'>]?: ChatRow[Field] | undefined };
export type NewChat = Pick<ChatRow, 'channel' | 'chatType' | 'memberId'> & ChatChanges;

export async function insertChat(tx: Tx, chat: NewChat): Promise<ChatRow> {
  return ChatModel.insert(tx, chat);
}

export async function findChat(tx: EnteredTx, chatId: number): Promise<ChatRow | undefined> {
  return ChatModel.find(tx, chatId);
}

/** What decides who may read a chat. */
export type ChatOwners = Pick<ChatRow, 'id' | 'memberId' | 'createdByMemberId'>;

/** `findChat` without its sixty other columns, for reads of what is in the chat. */
export async function findChatOwners(tx: EnteredTx, chatId: number): Promise<ChatOwners | undefined> {
  const [found] = await ChatModel.pick(tx, ['id', 'memberId', 'createdByMemberId'], 'id = ?', [chatId]);
  return found;
}

/** The chat of an SMS sender that is no phone number. */
export async function findChatOfSender(tx: Tx, senderKey: string): Promise<ChatRow | undefined> {
  return ChatModel.first(tx, 'sender_key = ?', [senderKey]);
}

export async function findDirectChat(tx: Tx, dmKey: string): Promise<ChatRow | undefined> {
  return ChatModel.first(tx, 'dm_key = ?', [dmKey]);
}

/** Locks the chat's row. Everything that changes a chat, its assignment or its turn takes this lock first. */
export async function lockChat(tx: Tx, chatId: number): Promise<ChatRow | undefined> {
  return ChatModel.first(tx, 'id = ? for update', [chatId]);
}

export async function patchChat(tx: Tx, chatId: number, changes: ChatChanges): Promise<ChatRow> {
  return ChatModel.patch(tx, chatId, { ...changes, updatedAt: new Date() });
}

/** Whether a chat of a member is paused for a reason. */
export async function hasChatPausedFor(tx: Tx, memberId: number, reason: string): Promise<boolean> {
  return ChatModel.exists(tx, 'member_id = ? and paused and paused_reason = ?', [memberId, reason]);
}

/** Increments the version, because there is something that the agent must consider. Returns the row as stored. */
export async function raiseChatVersion(tx: Tx, chatId: number, changes: ChatChanges = {}): Promise<ChatRow> {
  return ChatModel.patch(tx, chatId, { ...changes, updatedAt: new Date() }, 'version = version + 1');
}

const ofThread = `member_id = ? and phone_number_id = ? and channel = 'phone-sms'`;
const latestOfThread = `${ofThread} order by id desc`;
const activeOfThread = `${ofThread} and not archived and exists (
  select from assignments where assignments.chat_id = chats.id and assignments.status = 'active') order by id desc`;

export async function findLatestSmsChat(
  tx: Tx,
  memberId: number,
  phoneNumberId: number,
): Promise<ChatRow | undefined> {
  return ChatModel.first(tx, latestOfThread, [memberId, phoneNumberId]);
}

/** Finds the newest email chat of a member in an inbox. */
export async function findLatestEmailChat(
  tx: Tx,
  memberId: number,
  inboxId: number,
): Promise<ChatRow | undefined> {
  const ofInbox = `member_id = ? and inbox_id = ? and channel = 'email' order by id desc`;
  return ChatModel.first(tx, ofInbox, [memberId, inboxId]);
}

/** Finds the newest SMS chat of a member on a number that is not archived and whose assignment is active. */
export async function findActiveSmsChat(
  tx: Tx,
  memberId: number,
  phoneNumberId: number,
): Promise<ChatRow | undefined> {
  return ChatModel.first(tx, activeOfThread, [memberId, phoneNumberId]);
}

/** Lists a member's chats that may become active by themselves, or wait for a person, in the order of locking. */
export async function selectLiveChatIds(tx: Tx, memberId: number): Promise<number[]> {
  const rows = await ChatModel.pick(
    tx,
    ['id'],
    `member_id = ? and (
       needs_response or (assistant_enabled and not paused)
       or exists (select from assignments where chat_id = chats.id and status = 'active')
       or exists (select from follow_ups where chat_id = chats.id and fired_at is null and cancelled_at is null)
       or exists (select from scheduled_messages where chat_id = chats.id and state = 'pending'))
     order by id`,
    [memberId],
  );
  return rows.map(({ id }) => id);
}

/** Ends the stop of up to `limit` chats whose agent lacks credits, and returns them. Locked ones are left for later. */
export async function freeChatsOutOfCredits(tx: Tx, limit: number): Promise<ChatRow[]> {
  return queryInIndexOrder(tx, {
    text: `update chats set agent_stopped_reason = null, agent_stopped_until = null
     where id = any(array(select id from chats where agent_stopped_reason = 'credit_budget'
       order by id limit ? for update skip locked))
     returning ${ChatModel.columns}`,
    bindings: [limit],
  });
}

type ChatRef = Pick<ChatRow, 'id' | 'uuid'>;

type Listed = ChatRef & { isAnswered: boolean | null };

/**
 * Whether the agent answers in a chat and no assignment is active in it. A column instead of a condition, so that a
 * page ends after `limit` rows however many of them are not answered.
 */
const isAnswered = `assistant_enabled and not paused and not archived
  and (agent_stopped_reason is null or agent_stopped_until <= ?)
  and coalesce((select status <> 'active' from assignments where assignments.chat_id = chats.id), true)`;

/** Lists the chats with an agent that owe a turn, in order of id, and whether the agent answers in them. */
export async function selectUnansweredChats(
  tx: Tx,
  afterId: number,
  limit: number,
  now: Date,
): Promise<Listed[]> {
  return queryInIndexOrder(tx, {
    text: `select id, uuid, ${isAnswered} as "isAnswered" from chats
     where id > ? and version > handled_version and assistant_enabled and not paused and not archived
     order by id limit ?`,
    bindings: [now, afterId, limit],
  });
}

/** Lists the chats that have a pending follow-up, in order of id, and whether the agent answers in them. */
export async function selectChatsToFollowUp(
  tx: Tx,
  afterId: number,
  limit: number,
  now: Date,
): Promise<Listed[]> {
  const listed = `select distinct chat_id from follow_ups
    where chat_id > ? and fired_at is null and cancelled_at is null order by chat_id limit ?`;
  return chatsIn(tx, listed, [afterId, limit, now], `, ${isAnswered} as "isAnswered"`);
}

/** Lists the chats with a message that the carrier does not have yet, or may not have, in order of id. */
export async function selectUnsentChats(tx: Tx, afterId: number, limit: number): Promise<ChatRef[]> {
  const listed = `select distinct chat_id from deliveries
    where chat_id > ? and state in ('queued', 'claimed') order by chat_id limit ?`;
  return chatsIn(tx, listed, [afterId, limit]);
}

export async function selectChatsWithLateReceipts(
  tx: Tx,
  afterId: number,
  limit: number,
  now: Date,
): Promise<ChatRef[]> {
  const listed = `select distinct chat_id from deliveries
    where chat_id > ? and receipt_due_at <= ? order by chat_id limit ?`;
  return chatsIn(tx, listed, [afterId, now, limit]);
}

/** Returns the chats whose ids a query lists, in order of id. */
function chatsIn<Row extends ChatRef>(tx: Tx, query: string, bindings: unknown[], more = ''): Promise<Row[]> {
  return queryInIndexOrder(tx, {
    text: `with listed as materialized (${query})
     select id, uuid${more} from listed join chats on chats.id = listed.chat_id order by id`,
    bindings,
  });
}
