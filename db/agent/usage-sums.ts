import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { MemberUsageMonthModel } from './models/usage-day.js';
import type { TokenUsageFields } from './token-usage.js';

/** Sums of model calls. */
export type UsageSums = { calls: number } & Pick<
  TokenUsageFields,
  | 'promptTokens'
  | 'completionTokens'
  | 'cachedTokens'
  | 'audioInputTokens'
  | 'audioOutputTokens'
  | 'totalTokens'
  | 'credits'
>;

const columns = {
  calls: 'calls',
  promptTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
  cachedTokens: 'cached_tokens',
  audioInputTokens: 'audio_input_tokens',
  audioOutputTokens: 'audio_output_tokens',
  totalTokens: 'total_tokens',
  credits: 'credits',
} as const satisfies Record<keyof UsageSums, string>;

const names = Object.values(columns);

function adding(table: string, key: readonly string[]): string {
  const added = names.map((name) => `${name} = ${table}.${name} + excluded.${name}`);
  const all = ['workspace_id', ...key, ...names];
  return `insert into ${table} (${all.join(', ')}) values (${all.map(() => '?').join(', ')})
    on conflict (workspace_id, ${key.join(', ')}) do update set ${added.join(', ')}`;
}

const addToDay = adding('usage_days', ['day', 'definition_id', 'model_id']);
const addToMember = adding('member_usage_months', ['month', 'member_id']);

/**
 * Adds a call to the sums of its day and its member. Every caller locks in this order: the day of the workspace
 * (`addToWorkspaceDay`), these, the month (`addToMonth`).
 * @param day in the workspace's time zone
 */
export async function addToSums(
  tx: Tx,
  { day, memberId, definitionId, modelId }: UsageKey,
  sums: UsageSums,
): Promise<void> {
  const values = (Object.keys(columns) as (keyof UsageSums)[]).map((field) => sums[field]);
  await Promise.all([
    prepared(tx, addToDay, [tx.workspaceId, day, definitionId, modelId, ...values]),
    prepared(tx, addToMember, [tx.workspaceId, day.slice(0, 7), memberId, ...values]),
  ]);
}

export interface UsageKey {
  day: string;
  memberId: number;
  definitionId: number | null;
  modelId: string;
}

/** What the sums are grouped by. */
export const usageGroups = ['day', 'month', 'workflow', 'model'] as const;
export type UsageGroup = (typeof usageGroups)[number];

const groupColumns: Record<UsageGroup, string> = {
  day: 'day',
  month: 'left(day, 7)',
  workflow: 'definition_id',
  model: 'model_id',
};

export interface UsageFilter {
  from: string;
  to: string;
  definitionId?: number | undefined;
  modelId?: string | undefined;
}

/** Sums the days from first to last by group: days and months in their order, others by their credits. */
export async function sumDays(
  tx: Tx,
  group: UsageGroup,
  { from, to, definitionId, modelId }: UsageFilter,
  limit: number,
): Promise<(UsageSums & { key: string | number | null })[]> {
  const sums = Object.entries(columns).map(([field, name]) => `sum(${name})${cast(name)} as "${field}"`);
  const order = group === 'day' || group === 'month' ? '1' : 'sum(credits) desc, 1';
  return prepared(
    tx,
    `select ${groupColumns[group]} as key, ${sums.join(', ')} from usage_days
     where day between ? and ? and (?::bigint is null or definition_id = ?) and (?::text is null or model_id = ?)
     group by 1 order by ${order} limit ?`,
    [from, to, definitionId ?? null, definitionId ?? null, modelId ?? null, modelId ?? null, limit],
  );
}

function cast(name: string): string {
  return name === 'credits' ? '' : '::bigint';
}

const ofMember = ['memberId', ...(Object.keys(columns) as (keyof UsageSums)[])] as const;

/** A page of the members with usage in a month, and their count. */
export async function selectMemberMonths(
  tx: Tx,
  { month, memberId }: { month: string; memberId?: number | undefined },
  page: { page: number; pageSize: number; sortBy: 'credits' | 'memberId'; sortOrder: 'asc' | 'desc' },
): Promise<{ items: (UsageSums & { memberId: number })[]; total: number }> {
  const where = 'month = ? and (?::bigint is null or member_id = ?)';
  const bindings = [month, memberId ?? null, memberId ?? null];
  const direction = page.sortOrder === 'asc' ? 'asc' : 'desc';
  const order = page.sortBy === 'credits' ? `credits ${direction}, member_id` : `member_id ${direction}`;
  const [items, total] = await Promise.all([
    MemberUsageMonthModel.pick(tx, ofMember, `${where} order by ${order} limit ? offset ?`, [
      ...bindings,
      page.pageSize,
      (page.page - 1) * page.pageSize,
    ]),
    MemberUsageMonthModel.count(tx, where, bindings),
  ]);
  return { items, total };
}
