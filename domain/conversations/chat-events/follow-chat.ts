import { readableChat, seesNotes } from '../../chat-state/chat-access.js';
import type { Actor } from '../../kernel/actor.js';
import type { CommandContext } from '../../kernel/context.js';
import { type ChatView, viewChat } from '../chats/chat-view.js';

/** Which of a chat's events a reader receives. */
export interface Audience {
  withNotes: boolean;
  canSendAsAssistant: boolean;
}

/** Returns the chat and the audience with which a reader begins to follow it. @throws NotFound, Forbidden */
export async function followChat(
  { db, actor }: CommandContext,
  chatId: number,
): Promise<{ chat: ChatView; audience: Audience }> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const row = await readableChat(tx, actor, chatId);
    const chat = await viewChat(tx, actor, row);
    return { chat, audience: audienceOf(actor, row.memberId) };
  });
}

/** Checks that the reader may still follow the chat and returns the current audience. @throws NotFound, Forbidden */
export async function checkFollower({ db, actor }: CommandContext, chatId: number): Promise<Audience> {
  return db.readInWorkspace(actor.workspaceId, async (tx) =>
    audienceOf(actor, (await readableChat(tx, actor, chatId)).memberId),
  );
}

function audienceOf(actor: Actor, chatMemberId: number): Audience {
  return { withNotes: seesNotes(actor, chatMemberId), canSendAsAssistant: actor.can('chats:admin') };
}
