import {
  type CreditBudget,
  type CreditsOfMonth,
  findCreditBudget,
  readCreditsOfMonth,
} from '../../db/agent/credit-budgets.js';
import type { ChatRow } from '../../db/conversations/chats.js';
import type { Tx } from '../../db/tx.js';
import { alertColleague } from '../kernel/alert-colleague.js';
import { monthAt } from '../lib/local-time.js';

/** A month in which the agents of a workspace may not go on, because its credits are used up. */
interface SpentMonth {
  month: string;
  /** When the next month begins in the workspace's time zone. */
  until: Date;
}

/** Whether credits have an end: the workspace has a budget and does not go beyond it. */
export function isLimited(
  budget: CreditBudget,
): budget is CreditBudget & { monthlyCredits: number; extraUsageEnabled: false } {
  return budget.monthlyCredits !== null && !budget.extraUsageEnabled;
}

/** Whether the credits of a month, with those of calls that have begun, reach the budget. */
export function isSpent({ used, reserved }: CreditsOfMonth, monthlyCredits: number): boolean {
  return used + reserved >= monthlyCredits;
}

/** Returns the month if its credits are used up. Without a limit, nothing but the budget is read. */
export async function findSpentMonth(tx: Tx, now: Date): Promise<SpentMonth | undefined> {
  const budget = await findCreditBudget(tx);
  if (!isLimited(budget)) return undefined;
  const { month, until } = monthAt(now, budget.timezone);
  const credits = await readCreditsOfMonth(tx, month);
  return isSpent(credits, budget.monthlyCredits) ? { month, until } : undefined;
}

/** Stops the agent until the month is over or the budget is raised, and alerts a colleague. The turn stays due. */
export async function stopForCredits(tx: Tx, chat: Pick<ChatRow, 'id'>, until: Date): Promise<ChatRow> {
  const changes = { agentStoppedReason: 'credit_budget', agentStoppedUntil: until };
  return alertColleague(tx, chat, 'credit_budget', changes);
}
