import { type ChatRow, patchChat, raiseChatVersion } from '../../db/conversations/chats.js';
import { insertMessage, lastSpeaker, patchMessage } from '../../db/conversations/messages.js';
import {
  findApproval,
  insertApproval,
  patchApproval,
  type ToolApprovalRow,
} from '../../db/conversations/tool-approvals.js';
import type { Tx } from '../../db/tx.js';
import { agentMaySpeak } from '../kernel/agent-due.js';
import { alertColleague, whyUnanswered } from '../kernel/alert-colleague.js';
import { leftForPerson } from './left-for-person.js';
import { released } from './pause.js';

/** Within this time a call is decided about and run. It spans a weekend. */
const approvalMs = 72 * 3_600_000;

/**
 * The call of a chat that waits for a decision, or was approved and has yet to be run. A chat has one at most. The caller
 * holds the chat's row lock, as for all functions here.
 */
export async function openApproval(
  tx: Tx,
  chat: Pick<ChatRow, 'approvalId'>,
): Promise<ToolApprovalRow | undefined> {
  if (chat.approvalId === null) return undefined;
  const found = await findApproval(tx, chat.approvalId);
  return found?.state === 'waiting' || found?.state === 'approved' ? found : undefined;
}

/** Lets a tool call wait for a colleague, who is alerted. The turn of the agent ends here. */
export async function askApproval(
  tx: Tx,
  chat: ChatRow,
  call: { messageId: number; toolCallId: string; turnVersion: number },
  now: Date,
): Promise<ChatRow> {
  const { messageId, toolCallId, turnVersion } = call;
  const { id: approvalId } = await insertApproval(tx, {
    chatId: chat.id,
    messageId,
    toolCallId,
    state: 'waiting',
    requestedAt: now,
    expiresAt: new Date(now.getTime() + approvalMs),
  });
  const handledVersion = Math.max(chat.handledVersion, turnVersion);
  return alertColleague(tx, chat, 'approval', { approvalId, handledVersion });
}

/** Marks an approved call as run, before it is. */
export async function startApproved(tx: Tx, chat: ChatRow, approval: ToolApprovalRow): Promise<ChatRow> {
  await patchApproval(tx, approval.id, { state: 'run' });
  return patchChat(tx, chat.id, { approvalId: null });
}

/** Withdraws the approval of a call that is not run any more. */
export async function dropApproval(tx: Tx, chat: ChatRow, toolCallId: string): Promise<ChatRow> {
  const open = await openApproval(tx, chat);
  if (open?.toolCallId !== toolCallId) return chat;
  await patchApproval(tx, open.id, { state: 'withdrawn' });
  return patchChat(tx, chat.id, { approvalId: null });
}

/** Ends the call that waits: it is not run, and the model is told why. */
async function endOpen(
  tx: Tx,
  chat: ChatRow,
  state: 'withdrawn' | 'expired',
  result: object,
  now: Date,
): Promise<ChatRow> {
  const open = await openApproval(tx, chat);
  if (open !== undefined) {
    await patchApproval(tx, open.id, { state, ...(open.decidedAt === null ? { decidedAt: now } : {}) });
    await storeToolResult(tx, open, result);
  }
  return patchChat(tx, chat.id, { approvalId: null });
}

/**
 * Withdraws the call that waits, because the chat was taken over or its assignment has moved on. The
 * colleague who was alerted for it is not needed any more, unless the member still waits for an answer.
 */
export async function withdrawApproval(tx: Tx, chat: ChatRow, now: Date): Promise<ChatRow> {
  if (chat.approvalId === null) return chat;
  const ended = await endOpen(tx, chat, 'withdrawn', overtaken, now);
  if (ended.needsResponseReason !== 'approval') return ended;
  // The call was all of the answer that the member has.
  const isUnanswered = (await lastSpeaker(tx, chat.id)) === 'user';
  if (isUnanswered) return alertColleague(tx, ended, whyUnanswered(ended));
  return patchChat(tx, chat.id, await leftForPerson(tx, ended));
}

/** The result of a call that waited for approval and is not run any more. */
export const overtaken = { ok: false, error: 'overtaken' } as const;

/** Withdraws an approved call that could not be run, so that later turns do not begin with it. */
export async function withdrawApproved(tx: Tx, chat: ChatRow, now: Date): Promise<ChatRow> {
  const open = await openApproval(tx, chat);
  return open?.state === 'approved' ? endOpen(tx, chat, 'withdrawn', overtaken, now) : chat;
}

/**
 * Rejects a call whose time is over, and alerts a colleague: no colleague has decided, or the agent could not
 * go on, and the member may wait. The agent gets no turn for it, and reads of it in its next one.
 * @returns `expiresAt`: when the time of a call that waits is over
 */
export async function expireApproval(
  tx: Tx,
  chat: ChatRow,
  now: Date,
): Promise<{ chat: ChatRow; expiresAt?: Date }> {
  const open = await openApproval(tx, chat);
  if (open === undefined) return { chat };
  if (open.expiresAt > now) return { chat, expiresAt: open.expiresAt };
  const ended = await endOpen(tx, chat, 'expired', { ok: false, error: 'approval_expired' }, now);
  return { chat: await alertColleague(tx, ended, 'approval_expired') };
}

export interface Decision {
  decision: 'approve' | 'reject';
  comment?: string | undefined;
  memberId: number;
  /** The name of the tool, for the note: the call may be older than what the model gets of the chat. */
  toolName: string;
}

/**
 * Writes the decision about a call that waits, and makes a turn due: of an approved call, the agent goes on once it is run;
 * of a rejected one, it is told so.
 */
export async function decideApproval(
  tx: Tx,
  chat: ChatRow,
  approval: ToolApprovalRow,
  { decision, comment, memberId, toolName }: Decision,
  now: Date,
): Promise<ChatRow> {
  const isApproved = decision === 'approve';
  await patchApproval(tx, approval.id, {
    state: isApproved ? 'approved' : 'rejected',
    decidedAt: now,
    decidedByMemberId: memberId,
    comment: comment ?? null,
  });
  if (!isApproved) {
    const said = comment === undefined ? {} : { comment };
    await storeToolResult(tx, approval, { ok: false, error: 'approval_rejected', ...said });
  }
  // The agent may have answered the member since: the news has to come after that.
  await insertMessage(tx, {
    chatId: chat.id,
    role: 'system',
    author: 'person',
    memberId,
    content: `The call of the tool ${toolName} was ${isApproved ? 'approved' : 'rejected'}: see its result.`,
  });
  const raised = await raiseChatVersion(tx, chat.id, {
    ...released(now),
    ...(chat.needsResponseReason === 'approval' ? await leftForPerson(tx, chat) : {}),
    ...(isApproved ? {} : { approvalId: null }),
  });
  // Where the call ends the turn, the decision needs no other answer; a message of the member does.
  const isOwed = chat.version > chat.handledVersion;
  if (isApproved && !isOwed) await patchMessage(tx, approval.messageId, { turnVersion: raised.version });
  return raised;
}

/** Whether a call could be run now, or soon by itself. */
export function mayRunApproved(chat: ChatRow): boolean {
  return agentMaySpeak({ ...chat, agentStoppedReason: null });
}

/** Stores what the model is told of a tool call. */
export async function storeToolResult(
  tx: Tx,
  { chatId, toolCallId }: { chatId: number; toolCallId: string },
  result: object,
): Promise<void> {
  const ofCall = { toolCallId, subConversationOf: toolCallId };
  await insertMessage(tx, {
    chatId,
    role: 'tool',
    author: 'system',
    ...ofCall,
    content: JSON.stringify(result),
  });
}
