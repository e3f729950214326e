import { type ChatRow, lockChat } from '../../../db/conversations/chats.js';
import {
  findScheduledMessage,
  type ScheduledMessageRow,
} from '../../../db/conversations/scheduled-messages.js';
import type { Tx } from '../../../db/tx.js';
import { Conflict, NotFound } from '../../lib/errors.js';

export interface LockedScheduledMessage {
  chat: ChatRow;
  scheduled: ScheduledMessageRow;
}

/** Locks the chat of a scheduled message, whose lock everything that changes the message takes, and reads both. */
export async function lockScheduledMessage(
  tx: Tx,
  chatId: number,
  id: number,
): Promise<LockedScheduledMessage | undefined> {
  const chat = await lockChat(tx, chatId);
  const scheduled = await findScheduledMessage(tx, id);
  if (chat === undefined || scheduled?.chatId !== chat.id) return undefined;
  return { chat, scheduled };
}

/** `lockScheduledMessage` for callers. @throws NotFound */
export async function requireScheduledMessage(
  tx: Tx,
  chatId: number,
  id: number,
): Promise<LockedScheduledMessage> {
  const locked = await lockScheduledMessage(tx, chatId, id);
  if (locked === undefined) throw new NotFound('Scheduled message');
  return locked;
}

/** @throws Conflict `scheduled_message_settled` */
export function requirePending({ state }: ScheduledMessageRow): void {
  if (state === 'pending') return;
  const outcome = state === 'failed' ? 'could not be sent' : `was ${state}`;
  throw new Conflict('scheduled_message_settled', `The scheduled message ${outcome}.`);
}
