import { findChat } from '../../../db/conversations/chats.js';
import { isOwnChat } from '../../chat-state/own-chat.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import type { LiveChats } from './live-chats.js';

/**
 * Notifies the chat's followers that the caller is typing. Needs the right to write in the chat.
 *
 * @throws NotFound, Forbidden
 */
export async function signalTyping(
  { db, actor, clock }: CommandContext,
  live: LiveChats,
  chatId: number,
): Promise<void> {
  const { workspaceId, memberId } = actor;
  const chat = await db.readInWorkspace(workspaceId, async (tx) => {
    const found = await findChat(tx, chatId);
    if (found === undefined) throw new NotFound('Chat');
    if (!(await isOwnChat(tx, actor, found))) actor.require('chats:write');
    return found;
  });
  const role = chat.memberId === memberId ? 'user' : 'assistant';
  live.signalTyping(
    { workspaceId, chatId: chat.id },
    { type: 'typing', memberId, role, isAgent: false, active: true },
    clock.now(),
  );
}
