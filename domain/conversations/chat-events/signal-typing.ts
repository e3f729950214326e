import { findChat } from '../../../db/conversations/chats.js';
import { requireWritable } from '../../chat-state/chat-access.js';
import type { CommandContext } from '../../kernel/context.js';
import type { LiveChats } from './live-chats.js';

/** Notifies the chat's followers that the caller is typing. @throws NotFound, Forbidden */
export async function signalTyping(
  { db, actor, clock }: CommandContext,
  live: LiveChats,
  chatId: number,
): Promise<void> {
  const { workspaceId, memberId } = actor;
  const chat = await db.readInWorkspace(workspaceId, async (tx) =>
    requireWritable(tx, actor, await findChat(tx, chatId)),
  );
  const role = chat.memberId === memberId ? 'user' : 'assistant';
  live.signalTyping(
    { workspaceId, chatId: chat.id },
    { type: 'typing', memberId, role, isAgent: false, active: true },
    clock.now(),
  );
}
