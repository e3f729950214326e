import { findAssistantForChat } from '../../../db/conversations/assistants.js';
import { insertParticipants } from '../../../db/conversations/chat-details.js';
import { pinChatLabels } from '../../../db/conversations/chat-labels.js';
import {
  type ChatRow,
  isParticipant,
  lockChat,
  raiseChatVersion,
  updateChat as writeChat,
} from '../../../db/conversations/chats.js';
import { lastSpeaker } from '../../../db/conversations/messages.js';
import type { Tx } from '../../../db/database.js';
import { findMember } from '../../../db/people/members.js';
import { isOwnChat } from '../../chat-state/own-chat.js';
import { isPausedByOthers, notPaused, paused, takenOverBy } from '../../chat-state/pause.js';
import { released } from '../../chat-state/stopped.js';
import { supersedeTurn } from '../../chat-state/supersede-turn.js';
import type { Actor } from '../../kernel/actor.js';
import { agentIsDue, agentMaySpeak } from '../../kernel/agent-due.js';
import { callPerson, noPersonNeeded } from '../../kernel/call-person.js';
import type { CommandContext } from '../../kernel/context.js';
import { pokeChatRun } from '../../kernel/runs.js';
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.js';
import { labelChat } from '../chat-labels/label-chat.js';
import { type ChatView, viewChat } from './chat-view.js';

export interface UpdateChat {
  title?: string | null;
  archived?: boolean;
  muted?: boolean;
  paused?: boolean;
  /** Default `operator`. */
  pausedReason?: string;
  assistantEnabled?: boolean;
  /** All that the chat is to have. */
  labelIds?: readonly number[];
}

/**
 * Changes a chat: an own one, or any with CHATS_WRITE, which what concerns those who look after chats needs in any case
 * (docs/chats.md has the transitions). Taking the agent's word (pausing, archiving, disabling it) overtakes a turn in
 * progress; giving it back lets it answer what nobody has answered.
 *
 * @throws NotFound, Forbidden, Conflict `member_deleted` when the agent would speak to nobody
 */
export async function updateChat(
  { db, actor, clock }: CommandContext,
  chatId: number,
  input: UpdateChat,
): Promise<ChatView> {
  const now = clock.now();
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const labels = await pinChatLabels(tx, input.labelIds ?? []);
    const chat = await lockChat(tx, chatId);
    if (chat === undefined) throw new NotFound('Chat');
    if (concernsColleagues(input) || !(await isOwnChat(tx, actor, chat))) actor.require('chats:write');
    if (changesPause(input) && isPausedByOthers(actor, chat)) actor.require('chats:write');

    const changed = await writeChat(tx, chat.id, {
      ...plainChanges(input),
      ...pauseChanges(actor, chat, input, now),
      ...(input.paused === false && actor.can('chats:write') ? released(now) : {}),
    });
    if (input.labelIds !== undefined) await labelChat(tx, chat.id, input.labelIds, labels);
    const spoke = agentMaySpeak(chat);
    const speaks = agentMaySpeak(changed);
    if (!spoke && speaks) await handBack(tx, chat, changed);
    else if (spoke && !speaks) await takeFromAgent(tx, changed);
    else if (matterToRun(chat, changed)) await pokeChatRun(tx, changed);
    return viewChat(tx, actor, (await lockChat(tx, chat.id)) ?? changed);
  });
}

/** Labels sort chats for those who answer them, and a muted chat calls none of them. */
function concernsColleagues({ labelIds, muted }: UpdateChat): boolean {
  return labelIds !== undefined || muted !== undefined;
}

/** Whether the pause ends or gets another reason: a handoff task would be complete by its end. */
function changesPause({ paused, pausedReason }: UpdateChat): boolean {
  return paused === false || pausedReason !== undefined;
}

function plainChanges({ title, archived, muted, assistantEnabled }: UpdateChat): Partial<ChatRow> {
  return {
    ...(title === undefined ? {} : { title }),
    ...(archived === undefined ? {} : { archived }),
    ...(muted === undefined ? {} : { muted }),
    ...(assistantEnabled === undefined ? {} : { assistantEnabled }),
  };
}

function pauseChanges(actor: Actor, chat: ChatRow, input: UpdateChat, now: Date): Partial<ChatRow> {
  const { pausedReason } = input;
  const stays = input.paused ?? chat.paused;
  if (!stays && pausedReason !== undefined) {
    throw InvalidInput.field('/pausedReason', 'is for a chat that is paused');
  }
  if (!stays) return notPaused;
  if (!chat.paused) return paused(actor.memberId, pausedReason ?? 'operator', now);
  return {
    ...(pausedReason === undefined ? {} : { pausedReason }),
    ...(input.paused === true && actor.can('chats:write') ? takenOverBy(actor.memberId, chat) : {}),
  };
}

/** An assignment rests while its chat is archived, and a handoff lasts as long as the pause; whether the agent speaks or not. */
function matterToRun(before: ChatRow, after: ChatRow): boolean {
  return before.archived !== after.archived || before.paused !== after.paused;
}

/** What the agent is writing is dropped. A member that waits for an answer now waits for a person's. */
async function takeFromAgent(tx: Tx, chat: ChatRow): Promise<void> {
  const overtaken = await supersedeTurn(tx, chat);
  const isOwed = overtaken.version > overtaken.handledVersion && (await lastSpeaker(tx, chat.id)) === 'user';
  if (isOwed && !chat.archived) await callPerson(tx, chat, 'agent_silent');
  await pokeChatRun(tx, overtaken);
}

/**
 * The agent has the chat again, and with it whatever the member wrote that has no answer yet. Opening an archived chat
 * says nothing of whether somebody has looked after it: it still needs a person if it did and the agent will not answer.
 */
async function handBack(tx: Tx, before: ChatRow, chat: ChatRow): Promise<void> {
  if ((await findMember(tx, chat.memberId)) === undefined) {
    throw new Conflict('member_deleted', 'The member of the chat was deleted: nobody is there to speak to.');
  }
  const assistant = await findAssistantForChat(tx, chat);
  const memberId = chat.assistantMemberId ?? assistant?.memberId ?? null;
  if (memberId !== null && !(await isParticipant(tx, chat.id, memberId))) {
    await insertParticipants(tx, chat.id, new Map([[memberId, 'assistant']]));
  }
  const isDue = agentIsDue(chat);
  const isUnanswered = !isDue && (await lastSpeaker(tx, chat.id)) === 'user';
  const needsResponse = chat.needsResponse && before.archived && !isDue && !isUnanswered;
  const changes = { assistantMemberId: memberId, ...(needsResponse ? {} : noPersonNeeded) };
  const given = isUnanswered
    ? await raiseChatVersion(tx, chat.id, changes)
    : await writeChat(tx, chat.id, changes);
  await pokeChatRun(tx, given);
}
