import type { ChatRow } from '../../../db/conversations/chats.js';
import { findParticipantRole } from '../../../db/conversations/participants.js';
import type { Tx } from '../../../db/tx.js';
import type { TimelineReader } from '../../assignments/timeline/kinds.js';
import { timelineReader } from '../../assignments/timeline/read-timeline.js';
import { readableChat, seesNotes } from '../../chat-state/chat-access.js';
import type { Actor } from '../../kernel/actor.js';
import type { CommandContext } from '../../kernel/context.js';
import { type ChatReader, type ChatView, chatReader, viewChat } from '../chats/chat-view.js';

/** Which of a chat's events a reader receives. */
export interface Audience {
  withNotes: boolean;
  reader: ChatReader;
  /** As which it reads the timeline of the chat's assignment; undefined: not at all. */
  timeline: TimelineReader | undefined;
}

/** Returns the chat and the audience with which a reader begins to follow it. @throws NotFound, Forbidden */
export async function followChat(
  { db, actor }: CommandContext,
  chatId: number,
): Promise<{ chat: ChatView; audience: Audience }> {
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const row = await readableChat(tx, actor, chatId);
    const chat = await viewChat(tx, actor, row);
    return { chat, audience: await audienceOf(tx, actor, row) };
  });
}

/** Checks that the reader may still follow the chat and returns the current audience. @throws NotFound, Forbidden */
export async function checkFollower({ db, actor }: CommandContext, chatId: number): Promise<Audience> {
  return db.readInWorkspace(actor.workspaceId, async (tx) =>
    audienceOf(tx, actor, await readableChat(tx, actor, chatId)),
  );
}

async function audienceOf(tx: Tx, actor: Actor, chat: ChatRow): Promise<Audience> {
  const withNotes = await seesNotes(actor, chat, (id) => findParticipantRole(tx, id, actor.memberId));
  const mayRead = actor.can('assignments:read') || chat.memberId === actor.memberId;
  const timeline = mayRead && actor.hasScope('assignments:read') ? timelineReader(actor) : undefined;
  return { withNotes, reader: chatReader(actor), timeline };
}
