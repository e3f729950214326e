import type { Tx } from '../../db/database.js';
import { findAssistantForChat } from '../../db/queries/assistants.js';
import {
  type ChatRow,
  insertParticipant,
  isParticipant,
  lockChat,
  raiseChatVersion,
  updateChat as writeChat,
} from '../../db/queries/chats.js';
import { lastSpeaker } from '../../db/queries/messages.js';
import type { CommandContext } from '../context.js';
import { InvalidInput, NotFound } from '../errors.js';
import { pokeChatRun } from '../runs.js';
import { type ChatView, viewChat } from './chat-view.js';
import { overtakeTurn } from './overtake-turn.js';
import { isOwnChat } from './own-chat.js';

export interface UpdateChat {
  title?: string | null;
  archived?: boolean;
  muted?: boolean;
  paused?: boolean;
  /** Default `operator`. */
  pausedReason?: string;
  assistantEnabled?: boolean;
}

/**
 * Changes a chat: an own one, or any with CHATS_WRITE. Taking the agent's word (pausing, archiving, disabling it)
 * overtakes a turn in progress; giving it back lets it answer what nobody has answered.
 *
 * @throws NotFound, Forbidden
 */
export async function updateChat(
  { db, actor, clock }: CommandContext,
  chatId: number,
  input: UpdateChat,
): Promise<ChatView> {
  const now = clock.now();
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const chat = await lockChat(tx, chatId);
    if (chat === undefined) throw new NotFound('Chat');
    if (!(await isOwnChat(tx, actor, chat))) actor.require('chats:write');

    const changed = await writeChat(tx, chat.id, {
      ...plainChanges(input),
      ...pauseChanges(chat, input, now),
    });
    if (!mayAgentSpeak(chat) && mayAgentSpeak(changed)) await handBack(tx, changed);
    if (mayAgentSpeak(chat) && !mayAgentSpeak(changed)) await takeFromAgent(tx, changed);
    return viewChat(tx, actor, (await lockChat(tx, chat.id)) ?? changed);
  });
}

function plainChanges({ title, archived, muted, assistantEnabled }: UpdateChat): Partial<ChatRow> {
  return {
    ...(title === undefined ? {} : { title }),
    ...(archived === undefined ? {} : { archived }),
    ...(muted === undefined ? {} : { muted }),
    ...(assistantEnabled === undefined ? {} : { assistantEnabled }),
  };
}

function pauseChanges(chat: ChatRow, { paused, pausedReason }: UpdateChat, now: Date): Partial<ChatRow> {
  const stays = paused ?? chat.paused;
  if (!stays && pausedReason !== undefined) {
    throw InvalidInput.field('/pausedReason', 'is for a chat that is paused');
  }
  if (!stays) return { paused: false, pausedAt: null, pausedReason: null };
  if (chat.paused) return pausedReason === undefined ? {} : { pausedReason };
  return { paused: true, pausedAt: now, pausedReason: pausedReason ?? 'operator' };
}

function mayAgentSpeak(chat: ChatRow): boolean {
  return chat.assistantEnabled && !chat.paused && !chat.archived;
}

/** What the agent is writing is dropped. A member that waits for an answer now waits for a person's. */
async function takeFromAgent(tx: Tx, chat: ChatRow): Promise<void> {
  const overtaken = await overtakeTurn(tx, chat);
  const isOwed = overtaken.version > overtaken.handledVersion && (await lastSpeaker(tx, chat.id)) === 'user';
  if (isOwed && !chat.archived) await writeChat(tx, chat.id, { needsResponse: true });
  await pokeChatRun(tx, overtaken);
}

/** The agent has the chat again, and with it whatever the member wrote that has no answer yet. */
async function handBack(tx: Tx, chat: ChatRow): Promise<void> {
  const assistant = await findAssistantForChat(tx, chat);
  const memberId = chat.assistantMemberId ?? assistant?.memberId ?? null;
  if (memberId !== null && !(await isParticipant(tx, chat.id, memberId))) {
    await insertParticipant(tx, { chatId: chat.id, memberId, role: 'assistant' });
  }
  const changes = { assistantMemberId: memberId, needsResponse: false };
  const isUnanswered = chat.version === chat.handledVersion && (await lastSpeaker(tx, chat.id)) === 'user';
  const given = isUnanswered
    ? await raiseChatVersion(tx, chat.id, changes)
    : await writeChat(tx, chat.id, changes);
  await pokeChatRun(tx, given);
}
