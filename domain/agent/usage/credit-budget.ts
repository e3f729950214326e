import {
  addToMonth,
  type CreditBudget,
  findCreditBudget,
  readCreditsOfMonth,
  saveCreditBudget,
} from '../../../db/agent/credit-budgets.js';
import type { Tx } from '../../../db/tx.js';
import { wakeStoppedChats } from '../../chat-state/wake-stopped-chats.js';
import { notifyOfCredits } from '../../events/credits/notify-of-credits.js';
import { roundCredits } from '../../kernel/ai-models/credits.js';
import { givenNames, recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { monthAt } from '../../lib/local-time.js';

/** The budget of a workspace, and what the current month has used of it. */
export interface CreditBudgetView extends CreditBudget {
  month: string;
  monthStartsAt: Date;
  monthEndsAt: Date;
  creditsUsed: number;
  /** Credits of calls that have begun and are not booked yet, as far as they are known. */
  creditsReserved: number;
  /** Null without a budget; below zero where it was exceeded. */
  creditsRemaining: number | null;
}

/** Reads the budget with the state of the current month. */
export async function viewCreditBudget(tx: Tx, now: Date): Promise<CreditBudgetView> {
  const budget = await findCreditBudget(tx);
  const { month, from, until } = monthAt(now, budget.timezone);
  const { used, reserved } = await readCreditsOfMonth(tx, month);
  const { monthlyCredits } = budget;
  return {
    ...budget,
    month,
    monthStartsAt: from,
    monthEndsAt: until,
    creditsUsed: roundCredits(used),
    creditsReserved: roundCredits(reserved),
    creditsRemaining: monthlyCredits === null ? null : roundCredits(monthlyCredits - used),
  };
}

/** @throws Forbidden */
export async function getCreditBudget({ db, clock, actor }: CommandContext): Promise<CreditBudgetView> {
  actor.require('workspace:read');
  return db.readInWorkspace(actor.workspaceId, (tx) => viewCreditBudget(tx, clock.now()));
}

/**
 * Changes the budget; fields that are left out stay unchanged. If there are credits now, agents that were stopped for
 * lack of them go on: the first hundred chats at once, the others with the next passes of the reconciler. If what is used
 * reaches the new budget, admins are told here, because no call may follow that would tell them.
 * @throws Forbidden
 */
export async function updateCreditBudget(
  context: CommandContext,
  changes: { monthlyCredits?: number | null; extraUsageEnabled?: boolean },
): Promise<CreditBudgetView> {
  const { db, clock, actor } = context;
  actor.require('workspace:write');
  const now = clock.now();
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    await saveCreditBudget(tx, changes, { memberId: actor.memberId, now });
    recordAudit(tx, context, 'credit_budget:updated', { names: givenNames(changes) });
    const { timezone } = await findCreditBudget(tx);
    await notifyOfCredits(tx, await addToMonth(tx, monthAt(now, timezone).month, 0), now);
    await wakeStoppedChats(tx, now);
    return viewCreditBudget(tx, now);
  });
}
