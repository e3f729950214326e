import { type CreditMonthRow, findCreditBudget, patchCreditMonth } from '../../../db/agent/credit-budgets.js';
import type { Tx } from '../../../db/tx.js';
import { roundCredits } from '../../kernel/ai-models/credits.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { notifyAdmins } from '../event-rules/notify-admins.js';

/** The part of the budget at whose use admins are warned. */
export const warnedFrom = 0.8;

/**
 * Tells admins by mail, and receivers by an event, that most of the month's budget is used up, and that all of it is:
 * once a month each, whatever becomes of the budget. The caller holds the lock of the month's row.
 */
export async function notifyOfCredits(tx: Tx, month: CreditMonthRow, now: Date): Promise<void> {
  // Under the lock: the budget may have been changed while the caller waited for it.
  const { monthlyCredits, extraUsageEnabled } = await findCreditBudget(tx);
  if (monthlyCredits === null) return;
  const isUsedUp = month.credits >= monthlyCredits;
  const isLow = month.credits >= monthlyCredits * warnedFrom;
  const isNews = isUsedUp ? month.usedUpAt === null : isLow && month.warnedAt === null;
  if (!isNews) return;
  // Where one call leads past both, the warning is not sent any more.
  await patchCreditMonth(tx, month.id, {
    warnedAt: month.warnedAt ?? now,
    usedUpAt: isUsedUp ? now : month.usedUpAt,
  });
  const state = isUsedUp ? 'used_up' : 'low';
  const creditBudget = {
    month: month.month,
    state,
    monthlyCredits,
    creditsUsed: roundCredits(month.credits),
    extraUsageEnabled,
  } as const;
  await writeEvents(tx, [{ eventType: 'credit_budget:reached', payload: { creditBudget } }], now);
  const reason = isUsedUp ? 'credits_used_up' : 'credits_low';
  await notifyAdmins(tx, [{ creditMonthId: month.id, reason }], now);
}
