import { findAssignmentOfChat } from '../../../db/assignments/assignments.js';
import { type ChatRow, lockChat, patchChat } from '../../../db/conversations/chats.js';
import { isWorkspaceHeld } from '../../../db/definitions/workspace-holds.js';
import { findMember } from '../../../db/people/members.js';
import type { Tx } from '../../../db/tx.js';
import type { ChatStep } from '../../../workflows/contracts/steps.js';
import { closeChat } from '../../assignments/close-chats.js';
import { admitTurn } from '../../chat-state/admit-turn.js';
import { expireApproval } from '../../chat-state/approvals.js';
import { restWhileDisabled } from '../../chat-state/disabled-member.js';
import { fireFollowUps } from '../../chat-state/fire-follow-ups.js';
import { earliest } from '../../chat-state/held-turn.js';
import { leftForPerson } from '../../chat-state/left-for-person.js';
import { defaultAgentBudgets } from '../../kernel/agent-budgets.js';
import { agentIsDue } from '../../kernel/agent-due.js';
import { alertColleague, isAlertedByHold } from '../../kernel/alert-colleague.js';
import type { OutreachContext } from '../../kernel/context.js';

/** Returns the next step of the run that answers a chat without an active assignment. Idempotent. */
export async function advanceChat(
  context: OutreachContext,
  input: { workspaceId: number; chatId: number },
): Promise<ChatStep> {
  const now = context.clock.now();
  return context.db.inWorkspace(input.workspaceId, (tx) => advanceChatIn(context, tx, input.chatId, now));
}

/** `advanceChat` as a part of a transaction. */
export async function advanceChatIn(
  context: OutreachContext,
  tx: Tx,
  chatId: number,
  now: Date,
): Promise<ChatStep> {
  const locked = await lockChat(tx, chatId);
  if (locked === undefined || locked.archived) return { kind: 'idle' };
  const assignment = await findAssignmentOfChat(tx, locked.id);
  if (assignment?.status === 'active') return { kind: 'idle' };

  // The turn and the follow-ups stay due: the end of the hold pokes the run again.
  if (await isWorkspaceHeld(tx)) {
    const isTold = locked.needsResponseReason === 'workspace_held';
    if (agentIsDue(locked) && !isTold) await alertColleague(tx, locked, 'workspace_held');
    return { kind: 'idle', isHeld: true };
  }
  if ((await findMember(tx, locked.memberId)) === undefined) {
    await closeChat(tx, locked, now);
    return { kind: 'idle' };
  }
  const approval = await expireApproval(tx, await withoutCallOfHold(tx, locked), now);
  if ((await restWhileDisabled(tx, approval.chat)) !== undefined) return waitUntil(approval.expiresAt);
  const budgets = context.agentBudgets ?? defaultAgentBudgets;
  const followUps = await fireFollowUps(tx, approval.chat, now, budgets);
  const turn = await admitTurn(tx, followUps.chat, now, { budgets, outreach: context.outreach });
  if (turn.admitted) return { kind: 'turn', chatVersion: turn.chat.version };
  const until = earliest(followUps.nextDueAt, turn.until, approval.expiresAt);
  return waitUntil(until, approval.expiresAt === undefined ? {} : { stands: 'approval' });
}

async function withoutCallOfHold(tx: Tx, chat: ChatRow): Promise<ChatRow> {
  if (!isAlertedByHold(chat) || !agentIsDue(chat)) return chat;
  return patchChat(tx, chat.id, await leftForPerson(tx, chat));
}

function waitUntil(until: Date | undefined, stands: { stands?: string } = {}): ChatStep {
  return until === undefined ? { kind: 'idle' } : { kind: 'wait', until: until.getTime(), ...stands };
}
