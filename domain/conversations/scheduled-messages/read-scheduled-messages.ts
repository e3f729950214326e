import { findChat } from '../../../db/conversations/chats.js';
import {
  findScheduledMessage,
  type ScheduledMessageRow,
  type ScheduledMessageSort,
  type ScheduledMessageState,
  selectScheduledMessages,
} from '../../../db/conversations/scheduled-messages.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

/*
 * Scheduled messages are for colleagues, as notes are: the member of a chat learns of a message when it is sent.
 */

/** Lists those of one chat, or of all chats of the workspace. @throws Forbidden, NotFound */
export async function listScheduledMessages(
  { db, actor }: CommandContext,
  { chatId, states }: { chatId?: number; states: readonly ScheduledMessageState[] },
  page: PageRequest<ScheduledMessageSort>,
): Promise<PageOf<ScheduledMessageRow>> {
  actor.require('chats:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    if (chatId === undefined) return selectScheduledMessages(tx, { states }, page);
    if ((await findChat(tx, chatId)) === undefined) throw new NotFound('Chat');
    return selectScheduledMessages(tx, { chatId, states }, page);
  });
}

/** @throws Forbidden, NotFound */
export async function getScheduledMessage(
  { db, actor }: CommandContext,
  chatId: number,
  id: number,
): Promise<ScheduledMessageRow> {
  actor.require('chats:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const found = await findScheduledMessage(tx, id);
    if (found?.chatId !== chatId) throw new NotFound('Scheduled message');
    return found;
  });
}
