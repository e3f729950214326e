import { type ChatLedger, readChatLedger, readWorkspaceDay } from '../../db/agent/agent-ledger.js';
import { findAssignmentOfChat } from '../../db/assignments/assignments.js';
import { findLatestAnsweredCall, findOpenCall } from '../../db/calls/phone-calls.js';
import { type ChatRow, patchChat } from '../../db/conversations/chats.js';
import { insertMessage } from '../../db/conversations/messages.js';
import { findApproval } from '../../db/conversations/tool-approvals.js';
import type { Tx } from '../../db/tx.js';
import { type AgentBudgets, isReached } from '../kernel/agent-budgets.js';
import { agentIsDue } from '../kernel/agent-due.js';
import { alertColleague, type NeedsResponseReason } from '../kernel/alert-colleague.js';
import type { Outreach } from '../kernel/outreach.js';
import { findSpentMonth, stopForCredits } from './credit-budget.js';
import { heldUntil } from './held-turn.js';
import { notStopped } from './pause.js';

const hourMs = 3_600_000;

export interface Admission {
  chat: ChatRow;
  admitted: boolean;
  /** When a pending turn may begin; absent if no turn is pending, or if a person has to act first. */
  until?: Date;
}

export interface TurnTerms {
  budgets: AgentBudgets;
  outreach: Pick<Outreach, 'whyUndeliverable'>;
  /** What is owed when a call ends is left to a person. */
  standsAfterCall?: boolean;
}

/**
 * Decides whether a due turn may begin. If a budget is used up, stops the agent, alerts a colleague and leaves the turn
 * pending until the stop ends, or a person writes or resumes the chat. The caller holds the chat's row lock.
 */
export async function admitTurn(
  tx: Tx,
  chat: ChatRow,
  now: Date,
  { budgets, outreach, standsAfterCall = false }: TurnTerms,
): Promise<Admission> {
  const free = await liftStop(tx, chat, now);
  if (free.agentStoppedReason !== null) return stopped(free);
  if (!agentIsDue(free)) return { chat: free, admitted: false };
  // A call speaks for its chat; its end pokes the run (docs/decisions/0144-a-call-holds-the-floor.md).
  if ((await findOpenCall(tx, free.id)) !== undefined) return { chat: free, admitted: false };
  if (free.channel === 'phone-voice') return { chat: await afterCall(tx, free), admitted: false };
  if (standsAfterCall && (await isLeftByCall(tx, free))) {
    return { chat: await leaveToPerson(tx, free), admitted: false };
  }
  const until = heldUntil(free, now);
  if (until !== undefined) return { chat: free, admitted: false, until };
  if (!(await hasApprovedCall(tx, free)) && (await isUnreachable(tx, free, now, outreach))) {
    const changes = { handledVersion: free.version };
    return { chat: await alertColleague(tx, free, 'member_unreachable', changes), admitted: false };
  }
  const spent = await findSpentMonth(tx, now);
  if (spent !== undefined) return stopped(await stopForCredits(tx, free, spent.until));
  const stop = await exceeded(tx, free, now, budgets);
  if (stop === undefined) return { chat: free, admitted: true };
  const changes = { agentStoppedReason: stop.reason, agentStoppedUntil: stop.until };
  return stopped(await alertColleague(tx, free, stop.reason, changes));
}

/** What is left is due by text, which a chat by voice does not have: another call, or a person, goes on. */
async function afterCall(tx: Tx, chat: ChatRow): Promise<ChatRow> {
  const changes = { handledVersion: chat.version };
  const assignment = await findAssignmentOfChat(tx, chat.id);
  if (assignment?.status !== 'active') return patchChat(tx, chat.id, changes);
  return alertColleague(tx, chat, 'call_ended', changes);
}

const ofMachines: ReadonlySet<string | null> = new Set(['voicemail', 'amd_unknown']);

/**
 * Whether the latest call that a person has answered has ended, and neither the member nor a colleague has gone on by text since.
 * A call that reached nobody leaves nothing.
 */
async function isLeftByCall(
  tx: Tx,
  { id, attendedAt }: Pick<ChatRow, 'id' | 'attendedAt'>,
): Promise<boolean> {
  const call = await findLatestAnsweredCall(tx, id);
  if (call === undefined || call.finishedAt === null) return false;
  if (ofMachines.has(call.terminationReason)) return false;
  return attendedAt === null || attendedAt <= call.finishedAt;
}

/** The note is for the person who goes on. */
async function leaveToPerson(tx: Tx, chat: ChatRow): Promise<ChatRow> {
  const content = 'A call has ended, and the workflow leaves what follows to a person.';
  await insertMessage(tx, { chatId: chat.id, role: 'system', author: 'workflow', content });
  return alertColleague(tx, chat, 'call_ended', { handledVersion: chat.version });
}

/** The day (UTC) to which usage is booked. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** Whether a chat or its workspace has used up its tokens or credits for the day. */
export function isDaySpent(
  chat: Pick<ChatLedger, 'tokensToday' | 'creditsToday'>,
  workspace: { tokens: number; credits: number },
  budgets: AgentBudgets,
): boolean {
  return (
    isReached(chat.tokensToday, budgets.chatTokensPerDay) ||
    isReached(chat.creditsToday, budgets.chatCreditsPerDay) ||
    isReached(workspace.tokens, budgets.workspaceTokensPerDay) ||
    isReached(workspace.credits, budgets.workspaceCreditsPerDay)
  );
}

/** Whether the turn begins with a call that a colleague has approved, which needs no delivery. */
async function hasApprovedCall(tx: Tx, { approvalId }: ChatRow): Promise<boolean> {
  return approvalId !== null && (await findApproval(tx, approvalId))?.state === 'approved';
}

/** What the next moments do not change, so that a turn would be written for nobody. */
const refusedForLonger: ReadonlySet<string> = new Set([
  'opted_out',
  'notifications_disabled',
  'daily_cap',
  'workspace_daily_cap',
  'country_not_allowed',
  'premium_number',
]);

/** Whether the outreach gate would refuse the reply, so that a model call would be wasted. */
async function isUnreachable(
  tx: Tx,
  chat: ChatRow,
  now: Date,
  outreach: TurnTerms['outreach'],
): Promise<boolean> {
  const reason = await outreach.whyUndeliverable(tx, chat, now);
  return reason !== undefined && refusedForLonger.has(reason);
}

async function liftStop(tx: Tx, chat: ChatRow, now: Date): Promise<ChatRow> {
  const { agentStoppedReason, agentStoppedUntil } = chat;
  if (agentStoppedReason === null || agentStoppedUntil === null) return chat;
  if (agentStoppedUntil <= now) return patchChat(tx, chat.id, notStopped);
  // The budget may have been raised since.
  if (agentStoppedReason !== 'credit_budget' || (await findSpentMonth(tx, now)) !== undefined) return chat;
  return patchChat(tx, chat.id, notStopped);
}

function stopped(chat: ChatRow): Admission {
  const until = chat.version > chat.handledVersion ? chat.agentStoppedUntil : null;
  return { chat, admitted: false, ...(until === null ? {} : { until }) };
}

/** Returns which budget is used up, and until when; null: until a person acts. */
async function exceeded(
  tx: Tx,
  chat: ChatRow,
  now: Date,
  budgets: AgentBudgets,
): Promise<{ reason: NeedsResponseReason; until: Date | null } | undefined> {
  const dayFrom = new Date(`${dayOf(now)}T00:00:00Z`);
  const [ledger, workspace] = await Promise.all([
    readChatLedger(tx, chat.id, {
      hourFrom: new Date(now.getTime() - hourMs),
      dayFrom,
      turnsFrom: chat.turnsCountedFrom ?? new Date(0),
      attendedAt: chat.attendedAt ?? new Date(0),
    }),
    readWorkspaceDay(tx, dayOf(now)),
  ]);
  if (isReached(ledger.unattendedTurns, budgets.unattendedTurns))
    return { reason: 'unattended_turns', until: null };
  if (isReached(ledger.turnsToday, budgets.turnsPerDay)) return { reason: 'turn_budget', until: null };
  if (isDaySpent(ledger, workspace, budgets))
    return { reason: 'token_budget', until: new Date(dayFrom.getTime() + 24 * hourMs) };
  if (isReached(ledger.turnsInHour, budgets.turnsPerHour)) {
    return { reason: 'turn_budget', until: new Date(now.getTime() + hourMs) };
  }
  return undefined;
}
