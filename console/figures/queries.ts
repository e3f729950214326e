import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { allPages } from '../kit/all-pages.js';
import { answer, api } from '../kit/api.js';
import type { FailedSearch } from './search.js';

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

export function answersQuery(uuid: string, days: readonly string[]) {
  const query = { ...ends(days), isTest: false };
  return queryOptions({
    queryKey: [uuid, 'figures', 'answers', query],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/chats/stats/daily-answers', {
          params: { path: pathOf(uuid), query },
          signal,
        }),
      ),
  });
}

export function failuresQuery(uuid: string, days: readonly string[]) {
  const query = ends(days);
  return queryOptions({
    queryKey: [uuid, 'figures', 'failures', query],
    refetchInterval,
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/messages/stats/failures', {
          params: { path: pathOf(uuid), query },
          signal,
        }),
      ),
  });
}

/** The messages that did not arrive, the newest first. */
export function failedQuery(uuid: string, { since, reason }: FailedSearch) {
  return infiniteQueryOptions({
    queryKey: [uuid, 'figures', 'failed', { since, reason }],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = {
        deliveryStatus: 'failed',
        createdFrom: since,
        failureReason: reason,
        before: pageParam,
        limit: 50,
      } as const;
      return answer(
        api.GET('/w/{workspace_uuid}/messages', { params: { path: pathOf(uuid), query }, signal }),
      );
    },
    getNextPageParam: ({ next }) => next,
  });
}

export const outcomes = ['active', 'completed', 'cancelled', 'failed'] as const;

/** What became of the assignments of all workflows, or by task of one. */
export function outcomesQuery(uuid: string, days: readonly string[], workflowId: number | undefined) {
  const groupBy = workflowId === undefined ? ('workflow' as const) : ('task' as const);
  const query = { ...ends(days), workflowId, groupBy, isTest: false };
  return queryOptions({
    queryKey: [uuid, 'figures', 'outcomes', query],
    refetchInterval,
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/assignments/stats/outcomes', {
          params: { path: pathOf(uuid), query },
          signal,
        }),
      ),
  });
}

/** The names of workflows. */
export function workflowsQuery(uuid: string) {
  return queryOptions({
    queryKey: [uuid, 'figures', 'workflows'],
    queryFn: ({ signal }) =>
      allPages((page) => {
        const params = { path: pathOf(uuid), query: { page, pageSize: 100 } };
        return answer(api.GET('/w/{workspace_uuid}/workflows', { params, signal }));
      }),
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
