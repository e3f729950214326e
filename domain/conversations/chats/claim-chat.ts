import { nameActingMember } from '../../../db/assignments/timeline-entries.js';
import { type ChatRow, lockChat, patchChat } from '../../../db/conversations/chats.js';
import { lastMessagesOf } from '../../../db/conversations/waiting-chats.js';
import type { Tx } from '../../../db/tx.js';
import { withdrawApproval } from '../../chat-state/approvals.js';
import { paused } from '../../chat-state/pause.js';
import type { Actor } from '../../kernel/actor.js';
import { agentMaySpeak } from '../../kernel/agent-due.js';
import { alertColleague, notSnoozed } from '../../kernel/alert-colleague.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { timeWithinAYear } from '../../lib/time-within-a-year.js';
import { viewWaitingChats, type WaitingChat } from './list-waiting-chats.js';
import { takeFromAgent } from './update-chat.js';

const notClaimed = { claimedByMemberId: null, claimedUntil: null } as const;

/**
 * Claims a chat that waits for a person, or in which the agent speaks, who is then paused, for so many minutes: then it is
 * open to others, unless it was answered. Claiming again prolongs a claim; a snooze ends.
 * @throws NotFound, Forbidden, Conflict `not_waiting`, `claimed_by_another`
 */
export async function claimChat(
  { db, actor, clock }: CommandContext,
  chatId: number,
  { minutes }: { minutes: number },
): Promise<WaitingChat> {
  requireColleague(actor);
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const now = clock.now();
    await nameActingMember(tx, actor.memberId);
    const locked = await lockChat(tx, chatId);
    const chat = isTakeable(locked) ? await takeOver(tx, actor, locked, now) : requireWaiting(locked);
    refuseClaimOfAnother(chat, actor.memberId, now);
    const claimedUntil = new Date(now.getTime() + minutes * 60_000);
    const claim = { claimedByMemberId: actor.memberId, claimedUntil, ...notSnoozed };
    return viewWaiting(tx, actor, await patchChat(tx, chat.id, claim));
  });
}

/**
 * Ends a claim of the caller, or with `chats:admin` of anyone, so that the chat is open again.
 * @throws NotFound, Forbidden, Conflict `claimed_by_another`
 */
export async function releaseChat({ db, actor, clock }: CommandContext, chatId: number): Promise<void> {
  requireColleague(actor);
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const chat = await lockChat(tx, chatId);
    if (chat === undefined) throw new NotFound('Chat');
    if (!actor.can('chats:admin')) refuseClaimOfAnother(chat, actor.memberId, clock.now());
    await nameActingMember(tx, actor.memberId);
    if (chat.claimedByMemberId !== null) await patchChat(tx, chat.id, notClaimed);
  });
}

export interface SnoozeChat {
  /** Null or absent: until the member writes. */
  until?: string | null;
  /** The last message that the colleague has seen. */
  lastMessageId?: string;
}

/**
 * Puts a chat that waits off until a time, or until the member writes, which ends every snooze. The caller's claim ends.
 * @throws NotFound, Forbidden, InvalidInput, Conflict `not_waiting`, `claimed_by_another`, `newer_message`
 */
export async function snoozeChat(
  { db, actor, clock }: CommandContext,
  chatId: number,
  input: SnoozeChat,
): Promise<WaitingChat> {
  requireColleague(actor);
  const until = typeof input.until === 'string' ? timeWithinAYear('/until', input.until, clock.now()) : null;
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const now = clock.now();
    const chat = await lockWaitingChat(tx, chatId);
    refuseClaimOfAnother(chat, actor.memberId, now);
    if (input.lastMessageId !== undefined) await requireLastMessage(tx, chat.id, input.lastMessageId);
    await nameActingMember(tx, actor.memberId);
    const snooze = { snoozedAt: now, snoozedUntil: until, ...notClaimed };
    return viewWaiting(tx, actor, await patchChat(tx, chat.id, snooze));
  });
}

/** A message that came while the colleague decided must not be put off unseen. */
async function requireLastMessage(tx: Tx, chatId: number, uuid: string): Promise<void> {
  const [last] = await lastMessagesOf(tx, [chatId]);
  if (last?.uuid !== uuid) throw new Conflict('newer_message', 'The chat has a newer message.');
}

/** Ends a snooze. @throws NotFound, Forbidden */
export async function wakeChat({ db, actor }: CommandContext, chatId: number): Promise<void> {
  requireColleague(actor);
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const chat = await lockChat(tx, chatId);
    if (chat === undefined) throw new NotFound('Chat');
    if (chat.snoozedAt !== null) await patchChat(tx, chat.id, notSnoozed);
  });
}

/** The queue is for those who read the chats in it and answer them. */
function requireColleague(actor: Actor): void {
  actor.require('chats:write');
  actor.require('chats:read');
}

/** The row lock puts colleagues who claim at once, an answer and a message of the member in an order. */
async function lockWaitingChat(tx: Tx, chatId: number): Promise<ChatRow> {
  return requireWaiting(await lockChat(tx, chatId));
}

/** Whether the agent speaks in a chat that does not wait for a person. */
function isTakeable(chat: ChatRow | undefined): chat is ChatRow {
  return chat !== undefined && !chat.needsResponse && !chat.muted && agentMaySpeak(chat);
}

/** Pauses the agent as a colleague's message does; the chat waits for the colleague, who has still to write it. */
async function takeOver(tx: Tx, actor: Actor, chat: ChatRow, now: Date): Promise<ChatRow> {
  const pausedChat = await patchChat(tx, chat.id, paused(actor.memberId, 'operator', now));
  await takeFromAgent(tx, await withdrawApproval(tx, pausedChat, now));
  const taken = (await lockChat(tx, chat.id)) ?? pausedChat;
  return taken.needsResponse ? taken : alertColleague(tx, taken, 'taken_over');
}

/** @throws NotFound, Conflict `not_waiting` */
function requireWaiting(chat: ChatRow | undefined): ChatRow {
  if (chat === undefined) throw new NotFound('Chat');
  if (chat.needsResponse && !chat.archived && !chat.muted) return chat;
  throw new Conflict('not_waiting', 'The chat does not wait for a person.');
}

/** @throws Conflict `claimed_by_another` */
export function refuseClaimOfAnother(chat: ChatRow, memberId: number, now: Date): void {
  const { claimedByMemberId, claimedUntil } = chat;
  const isClaimed = claimedUntil !== null && claimedUntil > now;
  if (!isClaimed || claimedByMemberId === memberId) return;
  const until = claimedUntil.toISOString();
  throw new Conflict(
    'claimed_by_another',
    `Member ${claimedByMemberId} has claimed the chat until ${until}.`,
  );
}

async function viewWaiting(tx: Tx, actor: Actor, chat: ChatRow): Promise<WaitingChat> {
  const [view] = await viewWaitingChats(tx, actor, [chat]);
  if (view === undefined) throw new Error(`chat ${chat.id} has no view`);
  return view;
}
