import { findCreditBudget } from '../../../db/agent/credit-budgets.js';
import {
  selectMemberMonths,
  sumDays,
  type UsageGroup,
  type UsageSums,
} from '../../../db/agent/usage-sums.js';
import { roundCredits } from '../../kernel/ai-models/credits.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput } from '../../lib/errors.js';
import { countDays, dayOf } from '../../lib/local-time.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

const maxDays = 366;
/** Those with the most credits; a year has fewer days. */
const maxGroups = 1_000;

export interface UsageQuery {
  from?: string | undefined;
  to?: string | undefined;
  groupBy: UsageGroup;
  workflowId?: number | undefined;
  model?: string | undefined;
}

/** A sum of one day, month, workflow or model, as asked for; null: outside of workflows. */
export type UsageItem = UsageSums & { key: string | number | null };

/** Usage of a workspace from first to last day, in its time zone. */
export interface UsageView {
  timezone: string;
  from: string;
  to: string;
  total: UsageSums;
  items: UsageItem[];
}

/** Sums the model calls of the workspace; by default those of the current month. @throws Forbidden, InvalidInput */
export async function readUsage(
  { db, clock, actor }: CommandContext,
  { groupBy, workflowId, model, ...range }: UsageQuery,
): Promise<UsageView> {
  actor.require('workspace:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const { timezone } = await findCreditBudget(tx);
    const to = range.to ?? dayOf(clock.now(), timezone);
    const from = range.from ?? `${to.slice(0, 7)}-01`;
    const length = countDays(from, to);
    if (length < 1) throw InvalidInput.field('/to', 'must not be before from');
    if (length > maxDays) throw InvalidInput.field('/to', `must be within ${maxDays} days of from`);
    const filter = { from, to, definitionId: workflowId, modelId: model };
    // The total is summed by itself: of many workflows, the list has only the first.
    const [months, groups] = await Promise.all([
      sumDays(tx, 'month', filter, maxGroups),
      sumDays(tx, groupBy, filter, maxGroups),
    ]);
    return { timezone, from, to, total: rounded(months.reduce(add, none)), items: groups.map(rounded) };
  });
}

/** Lists the members with usage in a month; by default the current one. @throws Forbidden */
export async function listUsageByMember(
  { db, clock, actor }: CommandContext,
  query: { month?: string; memberId?: number } & PageRequest<'credits' | 'memberId'>,
): Promise<PageOf<UsageSums & { memberId: number }>> {
  actor.require('members:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const { timezone } = await findCreditBudget(tx);
    const month = query.month ?? dayOf(clock.now(), timezone).slice(0, 7);
    const found = await selectMemberMonths(tx, { month, memberId: query.memberId }, query);
    return { ...found, items: found.items.map(rounded) };
  });
}

const none: UsageSums = {
  calls: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  audioInputTokens: 0,
  audioOutputTokens: 0,
  totalTokens: 0,
  credits: 0,
};

const fields = Object.keys(none) as (keyof UsageSums)[];

function add(sum: UsageSums, one: UsageSums): UsageSums {
  const added = { ...none };
  for (const field of fields) added[field] = sum[field] + one[field];
  return added;
}

function rounded<Sums extends UsageSums>(sums: Sums): Sums {
  return { ...sums, credits: roundCredits(sums.credits) };
}
