import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { CreditMonthModel, type CreditMonthRow } from './models/credit-budget.js';

export type { CreditMonthRow } from './models/credit-budget.js';

/** The budget of a workspace; without one, as many credits as wanted are used. */
export interface CreditBudget {
  /** The time zone in which its months begin. */
  timezone: string;
  /** Null: there is no budget. */
  monthlyCredits: number | null;
  /** Whether the agent goes on when the budget is used up. */
  extraUsageEnabled: boolean;
}

export async function findCreditBudget(tx: Tx): Promise<CreditBudget> {
  const [row] = await prepared<CreditBudget>(
    tx,
    `select w.timezone, b.monthly_credits as "monthlyCredits",
       coalesce(b.extra_usage_enabled, false) as "extraUsageEnabled"
     from identity.workspaces w left join credit_budgets b on b.workspace_id = w.id where w.id = ?`,
    [tx.workspaceId],
  );
  return row ?? { timezone: 'UTC', monthlyCredits: null, extraUsageEnabled: false };
}

/** Writes the budget; fields that are left out keep their values. */
export async function saveCreditBudget(
  tx: Tx,
  changes: Partial<Pick<CreditBudget, 'monthlyCredits' | 'extraUsageEnabled'>>,
  by: { memberId: number; now: Date },
): Promise<void> {
  const { monthlyCredits, extraUsageEnabled } = changes;
  const changesCredits = monthlyCredits !== undefined;
  await prepared(
    tx,
    `insert into credit_budgets (workspace_id, monthly_credits, extra_usage_enabled, updated_by_member_id, updated_at)
     values (?, ?, coalesce(?::boolean, false), ?, ?)
     on conflict (workspace_id) do update set
       monthly_credits = case when ?::boolean then excluded.monthly_credits else credit_budgets.monthly_credits end,
       extra_usage_enabled = coalesce(?::boolean, credit_budgets.extra_usage_enabled),
       updated_by_member_id = excluded.updated_by_member_id, updated_at = excluded.updated_at`,
    [
      tx.workspaceId,
      monthlyCredits ?? null,
      extraUsageEnabled ?? null,
      by.memberId,
      by.now,
      changesCredits,
      extraUsageEnabled ?? null,
    ],
  );
}

export interface CreditsOfMonth {
  /** Credits of the calls that are booked. */
  used: number;
  /** Credits of the calls that have begun, as far as they are known. */
  reserved: number;
}

/** @param month `YYYY-MM` */
export async function readCreditsOfMonth(tx: Tx, month: string): Promise<CreditsOfMonth> {
  const [row] = await prepared<CreditsOfMonth>(
    tx,
    `select coalesce((select credits from credit_months where month = ?), 0) as used,
       coalesce((select sum(credits) from open_model_calls), 0) as reserved`,
    [month],
  );
  return row ?? { used: 0, reserved: 0 };
}

/** Locks the row of a month until the end of the transaction: calls of the workspace begin one after the other. */
export async function lockMonth(tx: Tx, month: string): Promise<void> {
  await CreditMonthModel.insertOnce(tx, { month }, ['month']);
  await CreditMonthModel.pick(tx, ['id'], 'month = ? for no key update', [month]);
}

/** Adds the credits of a call, locks the row and returns it. */
export async function addToMonth(tx: Tx, month: string, credits: number): Promise<CreditMonthRow> {
  const [row] = await prepared<CreditMonthRow>(
    tx,
    `insert into credit_months (workspace_id, month, credits) values (?, ?, ?)
     on conflict (workspace_id, month) do update set credits = credit_months.credits + excluded.credits
     returning ${CreditMonthModel.columns}`,
    [tx.workspaceId, month, credits],
  );
  if (row === undefined) throw new Error('an insert returned no row');
  return row;
}

export async function findCreditMonth(tx: Tx, id: number): Promise<CreditMonthRow | undefined> {
  return CreditMonthModel.find(tx, id);
}

export async function patchCreditMonth(
  tx: Tx,
  id: number,
  { warnedAt, usedUpAt }: Pick<CreditMonthRow, 'warnedAt' | 'usedUpAt'>,
): Promise<void> {
  await CreditMonthModel.updateWhere(tx, { warnedAt, usedUpAt }, 'id = ?', [id]);
}
