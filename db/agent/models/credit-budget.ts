import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** The budget of a workspace. */
export class CreditBudgetModel extends tenantTable('credit_budgets', {
  /** Null: there is no budget. */
  monthlyCredits: column<number | null>('number'),
  /** Whether the agent goes on when the budget is used up. */
  extraUsageEnabled: column<boolean>(),
  updatedByMemberId: column<number | null>(),
  updatedAt: column<Date>(),
}) {}

/** What a workspace has used of its budget in a month. */
export class CreditMonthModel extends tenantTable('credit_months', {
  /** `YYYY-MM` */
  month: column<string>('number'),
  credits: column<number>('number'),
  /** When admins were told that most of the budget is used up, and that all of it is. */
  warnedAt: column<Date | null>(),
  usedUpAt: column<Date | null>(),
}) {}

export type CreditMonthRow = RowOf<CreditMonthModel>;
