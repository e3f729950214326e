import { nameActingMember } from '../../../db/assignments/timeline-entries.js';
import { type ChatRow, lockChat, patchChat, raiseChatVersion } from '../../../db/conversations/chats.js';
import { findToolCallMessage } from '../../../db/conversations/messages.js';
import { findApprovalByUuid, type ToolApprovalRow } from '../../../db/conversations/tool-approvals.js';
import type { Tx } from '../../../db/tx.js';
import { requireAnotherPerson } from '../../chat-state/another-person.js';
import { decideApproval, mayRunApproved } from '../../chat-state/approvals.js';
import { notPaused, released } from '../../chat-state/pause.js';
import type { Actor } from '../../kernel/actor.js';
import { notSnoozed } from '../../kernel/alert-colleague.js';
import type { CommandContext } from '../../kernel/context.js';
import { pokeChatRun } from '../../kernel/runs.js';
import { Conflict, NotFound } from '../../lib/errors.js';
import { type ChatView, viewChat } from './chat-view.js';
import { refuseClaimOfAnother } from './claim-chat.js';
import { handoffId, handoffIdOf } from './interrupt.js';
import { noteOfColleague } from './note-of-colleague.js';
import { handBack } from './update-chat.js';

export interface DecideInterrupt {
  /** `id` of the interrupt that the colleague has seen. */
  interruptId: string;
  decision: 'approve' | 'reject';
  /** For the agent. */
  comment?: string;
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** How long a colleague who takes a handed-over chat has it for itself. */
const claimMs = 30 * 60_000;

/**
 * Answers what a chat waits for a person to decide. The row lock puts decisions, messages, takeovers and cancellations in an
 * order. The same decision once more changes nothing.
 * @throws Forbidden, NotFound, Conflict `interrupt_over`, `agent_not_active`, `claimed_by_another`
 */
export async function decideInterrupt(
  { db, actor, clock }: CommandContext,
  chatId: number,
  input: DecideInterrupt,
): Promise<ChatView> {
  actor.require('chats:admin');
  const now = clock.now();
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const chat = await lockChat(tx, chatId);
    if (chat === undefined) throw new NotFound('Chat');
    const isHandoff = input.interruptId === handoffIdOf(chat);
    const isCall = !isHandoff && uuidForm.test(input.interruptId);
    const approval = isCall ? await findApprovalByUuid(tx, chat.id, input.interruptId) : undefined;
    const isTaken = input.decision === 'approve' && isTakenBy(actor.memberId, chat, input.interruptId);
    if (isTaken) return viewChat(tx, actor, chat);
    if (isHandoff) await decideHandoff(tx, actor, chat, input, now);
    else if (approval === undefined) throw over('The chat does not wait for this decision.');
    else await decideCall(tx, actor, chat, approval, input, now);
    return viewChat(tx, actor, (await lockChat(tx, chat.id)) ?? chat);
  });
}

/** Whether the colleague has taken this handoff already. */
function isTakenBy(memberId: number, chat: ChatRow, interruptId: string): boolean {
  const { paused, pausedAt, pausedReason, pausedByMemberId } = chat;
  const isTaken = paused && pausedReason === 'handoff' && pausedByMemberId === memberId;
  return isTaken && pausedAt !== null && interruptId === handoffId(pausedAt);
}

const overMeanings = {
  approved: 'The tool call was approved.',
  run: 'The tool call was approved and run.',
  rejected: 'The tool call was rejected.',
  expired: 'The time for the decision is over.',
  withdrawn: 'The tool call was withdrawn: the chat was taken over or moved on.',
} as const;

async function decideCall(
  tx: Tx,
  actor: Actor,
  chat: ChatRow,
  approval: ToolApprovalRow,
  { decision, comment }: DecideInterrupt,
  now: Date,
): Promise<void> {
  requireAnotherPerson(actor, chat);
  const { state } = approval;
  if (state !== 'waiting') {
    const decided =
      state === 'approved' || state === 'run' ? 'approve' : state === 'rejected' ? 'reject' : state;
    if (decided === decision) return;
    throw over(overMeanings[state]);
  }
  if (approval.expiresAt <= now) throw over(overMeanings.expired);
  refuseClaimOfAnother(chat, actor.memberId, now);
  const message = await findToolCallMessage(tx, chat.id, approval.toolCallId);
  const call = message?.toolCalls.find(({ id }) => id === approval.toolCallId);
  if (call === undefined) throw over('The message with the tool call was deleted.');
  if (decision === 'approve' && !mayRunApproved(chat)) {
    throw notActive();
  }
  await nameActingMember(tx, actor.memberId);
  const decidedBy = { decision, comment, memberId: actor.memberId, toolName: call.function.name };
  await pokeChatRun(tx, await decideApproval(tx, chat, approval, decidedBy, now));
}

/** Approved, the chat is the colleague's; rejected, the agent goes on, with the comment as a note. */
async function decideHandoff(
  tx: Tx,
  actor: Actor,
  chat: ChatRow,
  { decision, comment }: DecideInterrupt,
  now: Date,
): Promise<void> {
  refuseClaimOfAnother(chat, actor.memberId, now);
  if (decision === 'reject' && (chat.archived || !chat.assistantEnabled)) throw notActive();
  await nameActingMember(tx, actor.memberId);
  if (decision === 'approve') {
    const claim = { claimedByMemberId: actor.memberId, claimedUntil: new Date(now.getTime() + claimMs) };
    await patchChat(tx, chat.id, { pausedByMemberId: actor.memberId, ...claim, ...notSnoozed });
    return;
  }
  if (comment !== undefined) {
    await noteOfColleague(tx, chat.id, actor.memberId, `Returned to the agent: ${comment}`);
  }
  const changed = await patchChat(tx, chat.id, { ...notPaused, ...released(now) });
  await handBack(tx, chat, changed);
  const current = await lockChat(tx, chat.id);
  if (current !== undefined && current.version === current.handledVersion) {
    await pokeChatRun(tx, await raiseChatVersion(tx, chat.id));
  }
}

function notActive(): Conflict {
  return new Conflict('agent_not_active', 'The agent of the chat is paused, archived or disabled.');
}

function over(message: string): Conflict {
  return new Conflict('interrupt_over', message);
}
