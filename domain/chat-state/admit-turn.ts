import { readChatLedger, readWorkspaceDay } from '../../db/agent/agent-ledger.js';
import { type ChatRow, updateChat } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/database.js';
import { findSmsRoute } from '../channels/deliveries/queue-delivery.js';
import { type AgentBudgets, isReached } from '../kernel/agent-budgets.js';
import { agentIsDue } from '../kernel/agent-due.js';
import { callPerson, type NeedsResponseReason } from '../kernel/call-person.js';
import { heldUntil } from './held-turn.js';
import { notStopped } from './stopped.js';

const hourMs = 3_600_000;

export interface Admission {
  /** The chat as it is then. */
  chat: ChatRow;
  /** Whether the agent has its turn now. */
  admitted: boolean;
  /** When a turn that is owed may begin; absent where none is owed, or a person has to act first. */
  until?: Date;
}

/**
 * Asks whether a turn that is due may begin. Beyond a budget the agent is stopped, a person is called, and the turn stays
 * owed: it begins when the time is over, or when a person writes or resumes the chat. A turn that is held for the
 * provider of the model begins when that hold ends. The chat's row is locked by the caller.
 */
export async function admitTurn(tx: Tx, chat: ChatRow, now: Date, budgets: AgentBudgets): Promise<Admission> {
  const free = await liftStop(tx, chat, now);
  if (free.agentStoppedReason !== null) return stopped(free);
  if (!agentIsDue(free)) return { chat: free, admitted: false };
  const until = heldUntil(free, now);
  if (until !== undefined) return { chat: free, admitted: false, until };
  if (await isUnreachable(tx, free, now)) {
    const changes = { handledVersion: free.version };
    return { chat: await callPerson(tx, free, 'member_unreachable', changes), admitted: false };
  }
  const stop = await exceeded(tx, free, now, budgets);
  if (stop === undefined) return { chat: free, admitted: true };
  const changes = { agentStoppedReason: stop.reason, agentStoppedUntil: stop.until };
  return stopped(await callPerson(tx, free, stop.reason, changes));
}

/** The day (UTC) that usage is counted by. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** No model is asked for what the gate would not let out. */
async function isUnreachable(tx: Tx, chat: ChatRow, now: Date): Promise<boolean> {
  if (chat.channel !== 'phone-sms') return false;
  const route = await findSmsRoute(tx, chat, now);
  return route === 'opted_out' || route === 'notifications_disabled' || route === 'daily_cap';
}

async function liftStop(tx: Tx, chat: ChatRow, now: Date): Promise<ChatRow> {
  const { agentStoppedReason, agentStoppedUntil } = chat;
  if (agentStoppedReason === null || agentStoppedUntil === null || agentStoppedUntil > now) return chat;
  return updateChat(tx, chat.id, notStopped);
}

function stopped(chat: ChatRow): Admission {
  const isOwed = chat.version > chat.handledVersion;
  return {
    chat,
    admitted: false,
    ...(isOwed && chat.agentStoppedUntil !== null ? { until: chat.agentStoppedUntil } : {}),
  };
}

interface Stop {
  reason: NeedsResponseReason;
  /** Null: until a person acts. */
  until: Date | null;
}

async function exceeded(tx: Tx, chat: ChatRow, now: Date, budgets: AgentBudgets): Promise<Stop | undefined> {
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
  if (isReached(ledger.unattendedTurns, budgets.unattendedTurns)) {
    return { reason: 'unattended_turns', until: null };
  }
  if (isReached(ledger.turnsToday, budgets.turnsPerDay)) return { reason: 'turn_budget', until: null };
  const isSpent =
    isReached(ledger.tokensToday, budgets.chatTokensPerDay) ||
    isReached(ledger.creditsToday, budgets.chatCreditsPerDay) ||
    isReached(workspace.tokens, budgets.workspaceTokensPerDay) ||
    isReached(workspace.credits, budgets.workspaceCreditsPerDay);
  if (isSpent) return { reason: 'token_budget', until: new Date(dayFrom.getTime() + 24 * hourMs) };
  if (isReached(ledger.turnsInHour, budgets.turnsPerHour)) {
    return { reason: 'turn_budget', until: new Date(now.getTime() + hourMs) };
  }
  return undefined;
}
