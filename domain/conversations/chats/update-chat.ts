import { nameActingMember } from '../../../db/assignments/timeline-entries.js';
import { findAssistantForChat } from '../../../db/conversations/assistants.js';
import { insertParticipants } from '../../../db/conversations/chat-details.js';
import { pinChatLabels } from '../../../db/conversations/chat-labels.js';
import { type ChatRow, lockChat, patchChat, raiseChatVersion } from '../../../db/conversations/chats.js';
import { lastSpeaker } from '../../../db/conversations/messages.js';
import { isParticipant } from '../../../db/conversations/participants.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import { mayRunApproved, withdrawApproval } from '../../chat-state/approvals.js';
import { requireWritable } from '../../chat-state/chat-access.js';
import { leftToDecide } from '../../chat-state/left-for-person.js';
import { isPausedByOthers, notPaused, paused, released, takenOverBy } from '../../chat-state/pause.js';
import { supersedeTurn } from '../../chat-state/supersede-turn.js';
import type { Actor } from '../../kernel/actor.js';
import { agentIsDue, agentMaySpeak } from '../../kernel/agent-due.js';
import { alertColleague, whyUnanswered } from '../../kernel/alert-colleague.js';
import type { CommandContext } from '../../kernel/context.js';
import { chatClosedEvent } from '../../kernel/events/chat-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { pokeChatRun } from '../../kernel/runs.js';
import { Conflict, InvalidInput } from '../../lib/errors.js';
import { labelChat } from '../chat-labels/chat-labels.js';
import { type ChatView, viewChat } from './chat-view.js';
import { noteOfColleague } from './note-of-colleague.js';
import { requireFolderOfChat } from './places-of-chat.js';

export interface UpdateChat {
  title?: string | null;
  archived?: boolean;
  muted?: boolean;
  paused?: boolean;
  /** Default: `operator`. */
  pausedReason?: string;
  assistantEnabled?: boolean;
  /** A folder that the caller sees. */
  folderId?: number | null;
  /** The complete set of labels, which replaces the current one. */
  labelIds?: readonly number[];
  /** For the agent, to whom the chat is given back. */
  note?: string;
}

/**
 * Changes a chat (transitions: docs/chats.md). Silencing the agent (pausing, archiving or disabling it) supersedes a
 * turn in progress; returning the chat lets the agent answer unanswered messages.
 * @throws NotFound, Forbidden, Conflict `member_deleted` if the agent would speak although the member was deleted
 */
export async function updateChat(
  { db, actor, clock }: CommandContext,
  chatId: number,
  input: UpdateChat,
): Promise<ChatView> {
  const now = clock.now();
  const { title, archived, muted, assistantEnabled, folderId } = input;
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const labels = await pinChatLabels(tx, input.labelIds ?? []);
    const chat = await requireWritable(tx, actor, await lockChat(tx, chatId));
    if (concernsColleagues(chat, actor, input)) actor.require('chats:write');
    if (typeof folderId === 'number') await requireFolderOfChat(tx, actor, folderId);
    await nameActingMember(tx, actor.memberId);
    const patched = await patchChat(tx, chat.id, {
      title,
      archived,
      muted,
      assistantEnabled,
      folderId,
      ...pauseChanges(actor, chat, input, now),
      ...(input.paused === false && actor.can('chats:write') ? released(now) : {}),
    });
    if (patched.archived && !chat.archived)
      await writeEvents(tx, [chatClosedEvent(patched, 'archived')], now);
    const changed = mayRunApproved(patched) ? patched : await withdrawApproval(tx, patched, now);
    if (input.labelIds !== undefined) await labelChat(tx, chat.id, input.labelIds, labels);
    const spoke = agentMaySpeak(chat);
    const speaks = agentMaySpeak(changed);
    if (input.note !== undefined) {
      if (spoke || !speaks)
        throw InvalidInput.field('/note', 'is for a chat that is given back to its agent');
      await noteOfColleague(tx, chatId, actor.memberId, `Returned to the agent: ${input.note}`);
    }
    if (!spoke && speaks) await handBack(tx, chat, changed);
    else if (spoke && !speaks) await takeFromAgent(tx, changed);
    // An assignment rests while its chat is archived, and a handoff task lasts as long as the pause.
    else if (chat.archived !== changed.archived || chat.paused !== changed.paused) {
      await pokeChatRun(tx, changed);
    }
    return viewChat(tx, actor, (await lockChat(tx, chat.id)) ?? changed);
  });
}

/**
 * Whether the change needs `chats:write` even in an own chat: labels, folders and muting organize the work of colleagues,
 * and ending the pause of another would complete a handoff task.
 */
function concernsColleagues(chat: ChatRow, actor: Actor, input: UpdateChat): boolean {
  const changesPause = input.paused === false || input.pausedReason !== undefined;
  const { labelIds, folderId, muted } = input;
  const organizes = labelIds !== undefined || folderId !== undefined || muted !== undefined;
  return organizes || input.note !== undefined || (changesPause && isPausedByOthers(actor, chat));
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

/** Drops a reply in progress. If the member waits for an answer, a colleague is alerted. */
export async function takeFromAgent(tx: Tx, chat: ChatRow): Promise<void> {
  const overtaken = await supersedeTurn(tx, chat);
  const isOwed = overtaken.version > overtaken.handledVersion && (await lastSpeaker(tx, chat.id)) === 'user';
  if (isOwed && !chat.archived) await alertColleague(tx, chat, whyUnanswered(chat));
  await pokeChatRun(tx, overtaken);
}

/** Lets the agent answer again. Reopening keeps `needsResponse` unless the agent will answer: no person has done so. */
export async function handBack(tx: Tx, before: ChatRow, chat: ChatRow): Promise<void> {
  if ((await findMember(tx, chat.memberId)) === undefined) {
    throw new Conflict('member_deleted', 'The member of the chat was deleted.');
  }
  const assistant = await findAssistantForChat(tx, chat);
  const memberId = chat.assistantMemberId ?? assistant?.memberId ?? null;
  if (memberId !== null && !(await isParticipant(tx, chat.id, memberId))) {
    await insertParticipants(tx, chat.id, new Map([[memberId, 'assistant']]));
  }
  const isDue = agentIsDue(chat);
  const isUnanswered = !isDue && (await lastSpeaker(tx, chat.id)) === 'user';
  const needsResponse = chat.needsResponse && before.archived && !isDue && !isUnanswered;
  const changes = { assistantMemberId: memberId, ...(needsResponse ? {} : await leftToDecide(tx, chat)) };
  const given = isUnanswered
    ? await raiseChatVersion(tx, chat.id, changes)
    : await patchChat(tx, chat.id, changes);
  await pokeChatRun(tx, given);
}
