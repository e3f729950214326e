import { readableChat, seesNotes } from '../../chat-state/readable-chat.js';
import type { Actor } from '../../kernel/actor.js';
import type { CommandContext } from '../../kernel/context.js';
import { type ChatView, viewChat } from '../chats/chat-view.js';

/** What of a chat's events one reader is told. */
export interface Audience {
  withNotes: boolean;
  canSendAsAssistant: boolean;
}

/** The chat as it stands when somebody begins to follow it. Own chats, or CHATS_READ. @throws NotFound, Forbidden */
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

/** Whether the reader may still follow the chat, and as whom. @throws NotFound, Forbidden */
export async function checkFollower({ db, actor }: CommandContext, chatId: number): Promise<Audience> {
  return db.readInWorkspace(actor.workspaceId, async (tx) =>
    audienceOf(actor, (await readableChat(tx, actor, chatId)).memberId),
  );
}

function audienceOf(actor: Actor, chatMemberId: number): Audience {
  return { withNotes: seesNotes(actor, chatMemberId), canSendAsAssistant: actor.can('chats:admin') };
}
