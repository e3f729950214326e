import type { Static } from 'typebox';
import type { UsageGroup } from '../../../../db/agent/usage-sums.js';
import type { UsageItem, UsageView } from '../../../../domain/agent/usage/read-usage.js';
import type { UsageResponse } from './schemas.js';

type Item = Static<typeof UsageResponse>['items'][number];

const fields = { day: 'day', month: 'month', workflow: 'workflowId', model: 'model' } as const;

export function presentUsage(
  { total, items, ...range }: UsageView,
  groupBy: UsageGroup,
): Static<typeof UsageResponse> {
  return { ...range, ...total, items: items.map((item) => presentItem(item, groupBy)) };
}

function presentItem({ key, ...sums }: UsageItem, groupBy: UsageGroup): Item {
  return { [fields[groupBy]]: key, ...sums };
}
