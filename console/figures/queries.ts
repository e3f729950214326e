import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schemas } from '../kit/api.js';
import { timeBefore } from './search.js';

/** Nothing tells the page that a figure has changed. */
const refetchInterval = 60_000;

const pathOf = (uuid: string) => ({ workspace_uuid: uuid });
const ends = (days: readonly string[]) => ({ from: days[0], to: days.at(-1) });

export function chatsQuery(uuid: string, days: readonly string[]) {
  const query = ends(days);
  return queryOptions({
    queryKey: [uuid, 'figures', 'chats', query],
    refetchInterval,
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/chats/stats/daily-creation', {
          params: { path: pathOf(uuid), query },
          signal,
        }),
      ),
  });
}

export function waitingQuery(uuid: string) {
  return queryOptions({
    queryKey: [uuid, 'figures', 'waiting'],
    refetchInterval,
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/chats/needs-response/counts', {
          params: { path: pathOf(uuid) },
          signal,
        }),
      ),
  });
}

export type Failed = Schemas['OutgoingMessageResponse'];
/** Pages of a hundred that are read at most. */
const mostPages = 10;

/** The messages that did not arrive, the newest first. `isCut`: there are more. */
export function failuresQuery(uuid: string, days: number) {
  return queryOptions({
    queryKey: [uuid, 'figures', 'failures', days],
    refetchInterval,
    queryFn: async ({ signal }) => {
      const items: Failed[] = [];
      let before: number | undefined;
      for (let page = 0; page < mostPages; page += 1) {
        const query = {
          deliveryStatus: 'failed',
          createdFrom: timeBefore(days),
          limit: 100,
          before,
        } as const;
        const read = await answer(
          api.GET('/w/{workspace_uuid}/messages', { params: { path: pathOf(uuid), query }, signal }),
        );
        items.push(...read.items);
        if (read.next === undefined) return { items, isCut: false };
        before = read.next;
      }
      return { items, isCut: true };
    },
  });
}

export const outcomes = ['active', 'completed', 'cancelled', 'failed'] as const;

/** How many of the assignments that began in a period are in each state. */
export function assignmentsQuery(uuid: string, days: number, workflowId: number | undefined) {
  return queryOptions({
    queryKey: [uuid, 'figures', 'assignments', { days, workflowId }],
    refetchInterval,
    queryFn: ({ signal }) =>
      Promise.all(
        outcomes.map(async (status) => {
          const query = { status, workflowId, createdFrom: timeBefore(days), isTest: false, pageSize: 1 };
          const { total } = await answer(
            api.GET('/w/{workspace_uuid}/assignments', { params: { path: pathOf(uuid), query }, signal }),
          );
          return { status, total };
        }),
      ),
  });
}

/** The names of workflows, of the hundred that were changed last. */
export function workflowsQuery(uuid: string) {
  return queryOptions({
    queryKey: [uuid, 'figures', 'workflows'],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/workflows', {
          params: { path: pathOf(uuid), query: { pageSize: 100, sortBy: 'updatedAt', sortOrder: 'desc' } },
          signal,
        }),
      ),
  });
}

export function usageQuery(uuid: string, days: readonly string[], groupBy: 'day' | 'workflow' | 'model') {
  const query = { ...ends(days), groupBy };
  return queryOptions({
    queryKey: [uuid, 'figures', 'usage', query],
    refetchInterval,
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/token-usage', { params: { path: pathOf(uuid), query }, signal })),
  });
}

export function budgetQuery(uuid: string) {
  return queryOptions({
    queryKey: [uuid, 'figures', 'budget'],
    refetchInterval,
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/credit-budget', { params: { path: pathOf(uuid) }, signal })),
  });
}

/** What the carrier has charged on each day, channel and currency, of the months that the days are of. */
export function costsQuery(uuid: string, days: readonly string[]) {
  const months = [...new Set(days.map((day) => day.slice(0, 7)))];
  return queryOptions({
    queryKey: [uuid, 'figures', 'costs', months],
    refetchInterval,
    queryFn: async ({ signal }) => {
      const read = await Promise.all(
        months.map((month) =>
          answer(
            api.GET('/w/{workspace_uuid}/costs', {
              params: { path: pathOf(uuid), query: { month } },
              signal,
            }),
          ),
        ),
      );
      return read.flatMap(({ items }) => items);
    },
  });
}
