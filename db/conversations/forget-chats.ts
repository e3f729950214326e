import { AssignmentTaskModel } from '../assignments/models/assignment-task.js';
import { PhoneCallModel } from '../calls/models/phone-call.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { ChatModel, ChatParticipantModel } from './models/chat.js';
import { ChatLabelLinkModel } from './models/chat-label.js';
import { FollowUpModel } from './models/follow-up.js';
import { MessageModel } from './models/message.js';
import { ScheduledMessageModel } from './models/scheduled-message.js';
import { ToolApprovalModel } from './models/tool-approval.js';

/** A place in the walk through chats, by the time of their last change. */
export interface OldChat {
  id: number;
  /** As PostgreSQL writes it: a `Date` would lose the microseconds, and the walk its place. */
  updatedAt: string;
}

export const beforeChats: OldChat = { id: 0, updatedAt: '-infinity' };

/**
 * That nothing in a chat has happened since, is under way or is to come: a turn, an active assignment, a follow-up, a
 * call, a message that is being sent or is scheduled. Its binding is the time before which the chat is old.
 */
const isQuiet = `chats.turn_owed_since is null
  and not exists (select from assignments a
    where a.workspace_id = chats.workspace_id and a.chat_id = chats.id and a.status = 'active')
  and not exists (select from follow_ups f where f.workspace_id = chats.workspace_id and f.chat_id = chats.id
    and f.fired_at is null and f.cancelled_at is null)
  and not exists (select from scheduled_messages s where s.workspace_id = chats.workspace_id and s.chat_id = chats.id
    and s.state = 'pending')
  and not exists (select from deliveries d where d.workspace_id = chats.workspace_id and d.chat_id = chats.id
    and d.state in ('queued', 'claimed'))
  and not exists (select from phone_calls p where p.workspace_id = chats.workspace_id and p.chat_id = chats.id
    and p.finished_at is null)
  and coalesce((select m.created_at from messages m where m.workspace_id = chats.workspace_id and m.chat_id = chats.id
    and m.sub_conversation_of is null order by m.id desc limit 1), '-infinity') < ?`;

/**
 * The next chats that have not changed since `before` and are not forgotten, the oldest first, each with whether it is
 * quiet: one that is not is passed at little cost, because it may stay so for years.
 */
export async function selectOldChats(
  tx: Tx,
  { before, after, limit }: { before: Date; after: OldChat; limit: number },
): Promise<(OldChat & { isQuiet: boolean })[]> {
  return prepared(
    tx,
    `select id, updated_at::text as "updatedAt", ${isQuiet} as "isQuiet" from chats
     where forgotten_at is null and updated_at < ? and (updated_at, id) > (?::timestamptz, ?)
     order by updated_at, id limit ?`,
    [before, before, after.updatedAt, after.id, limit],
  );
}

/** Locks a chat, unless it has changed since or is not quiet. @returns whether it is locked */
export async function lockOldChat(tx: Tx, id: number, before: Date): Promise<boolean> {
  const isOld = `id = ? and forgotten_at is null and updated_at < ? and ${isQuiet}`;
  const skipping = `${isOld} for no key update skip locked`;
  return (await ChatModel.pick(tx, ['id'], skipping, [id, before, before])).length > 0;
}

/** Deletes the oldest messages of a chat, with their deliveries. @returns their number */
export async function removeOldestMessages(tx: Tx, chatId: number, limit: number): Promise<number> {
  const oldest = 'chat_id = ? order by created_revision limit ?';
  const old = await MessageModel.pick(tx, ['id'], oldest, [chatId, limit]);
  if (old.length === 0) return 0;
  const ids = old.map(({ id }) => id);
  await AssignmentTaskModel.updateWhere(tx, { messageId: null }, 'message_id = any(?)', [ids]);
  await MessageModel.deleteWhere(tx, 'id = any(?)', [ids]);
  return ids.length;
}

/** Deletes what else a chat without messages holds, and marks it: it stays for assignments and the usage of models. */
export async function emptyChat(tx: Tx, chatId: number, now: Date): Promise<void> {
  await FollowUpModel.deleteWhere(tx, 'chat_id = ?', [chatId]);
  await ScheduledMessageModel.deleteWhere(tx, 'chat_id = ?', [chatId]);
  await ToolApprovalModel.deleteWhere(tx, 'chat_id = ?', [chatId]);
  await ChatLabelLinkModel.deleteWhere(tx, 'chat_id = ?', [chatId]);
  const withNumber = 'chat_id = ? and remote_number is not null';
  await PhoneCallModel.updateWhere(tx, { remoteNumber: null }, withNumber, [chatId]);
  const instructed = 'chat_id = ? and additional_instructions is not null';
  await ChatParticipantModel.updateWhere(tx, { additionalInstructions: null }, instructed, [chatId]);
  const emptied = { title: null, summary: null, messageCount: 0, approvalId: null, forgottenAt: now };
  await ChatModel.updateWhere(tx, emptied, 'id = ?', [chatId]);
}
