import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query';
import { allPages } from '../kit/all-pages.js';
import { answer, api, type Schemas } from '../kit/api.js';
import type { PageQuery } from '../kit/paged-rows.js';
import { revisionQuery, workflowQuery } from '../workflows/queries.js';
import type { Age, AssignmentsSearch } from './search.js';

export type Assignment = Schemas['AssignmentResponse'];
export type TaskDetail = Schemas['OperatorTaskDetailResponse'];
export type Entry = Schemas['TimelineEntryResponse'];
export type Counts = Schemas['AssignmentCountsResponse'];

export const pageSize = 50;
/** What a step does by the clock is told by the stream, unless somebody may not follow the chats. */
const clockMs = 60_000;
/** Counts are read again by the clock alone, so that a busy workflow does not count without end. */
const countMs = 15_000;

const dayMs = 24 * 3_600_000;
const daysOf: Record<Age, number> = { day: 1, week: 7, month: 30 };

/** A page of the list, from 1. */
export function assignmentsPage(
  uuid: string,
  search: AssignmentsSearch,
  page: number,
): PageQuery<Assignment> {
  const { age, sortBy = 'createdAt', sortOrder = 'desc', ...filter } = search;
  return {
    queryKey: [uuid, 'assignments', search, page],
    refetchInterval: clockMs,
    queryFn: ({ signal }) => {
      const createdBefore =
        age === undefined ? undefined : new Date(Date.now() - daysOf[age] * dayMs).toISOString();
      const query = { ...filter, createdBefore, sortBy, sortOrder, page, pageSize };
      return answer(
        api.GET('/w/{workspace_uuid}/assignments', {
          params: { path: { workspace_uuid: uuid }, query },
          signal,
        }),
      );
    },
  };
}

export function assignmentOf(uuid: string, id: number) {
  const path = { workspace_uuid: uuid, assignment_id: id };
  return queryOptions({
    queryKey: [uuid, 'assignment', id, 'whole'],
    refetchInterval: clockMs,
    queryFn: () => answer(api.GET('/w/{workspace_uuid}/assignments/{assignment_id}', { params: { path } })),
  });
}

/** The key is that of the inbox, which shows the same. */
export function taskOf(uuid: string, id: number) {
  const path = { workspace_uuid: uuid, assignment_id: id };
  return queryOptions({
    queryKey: [uuid, 'assignment', id, 'task'],
    refetchInterval: clockMs,
    queryFn: () =>
      answer(
        api.GET('/w/{workspace_uuid}/assignments/{assignment_id}/current-task-detail', { params: { path } }),
      ),
  });
}

/** Messages are in the chat. */
const kinds = [
  'entered',
  'completed',
  'not_begun',
  'tool',
  'timer_set',
  'timer_came',
  'timer_cancelled',
  'follow_up_set',
  'follow_up_came',
  'follow_up_cancelled',
  'delivery',
  'refused',
  'needs_response',
  'answered',
  'paused',
  'resumed',
  'archived',
  'unarchived',
  'concluded',
] as const;

/** The newest entries first, and ever earlier ones as they are asked for. */
export function timelineOf(uuid: string, id: number) {
  const path = { workspace_uuid: uuid, assignment_id: id };
  return infiniteQueryOptions({
    queryKey: [uuid, 'assignment', id, 'happened'],
    refetchInterval: clockMs,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const query = { after: pageParam, sortOrder: 'desc' as const, limit: 200, kind: [...kinds] };
      return answer(
        api.GET('/w/{workspace_uuid}/assignments/{assignment_id}/timeline', { params: { path, query } }),
      );
    },
    getNextPageParam: ({ items, hasMore }) => (hasMore ? items.at(-1)?.id : undefined),
  });
}

export function workflowsOf(uuid: string) {
  const query = { pageSize: 100, sortBy: 'name', sortOrder: 'asc' } as const;
  return queryOptions({
    queryKey: [uuid, 'workflows', 'names'],
    queryFn: ({ signal }) =>
      allPages((page) => {
        const params = { path: { workspace_uuid: uuid }, query: { ...query, page } };
        return answer(api.GET('/w/{workspace_uuid}/workflows', { params, signal }));
      }),
  });
}

export function workflowOf(uuid: string, id: number) {
  return queryOptions({ ...workflowQuery(uuid, id), refetchInterval: clockMs });
}

export function revisionOf(uuid: string, workflowId: number, revisionId: number) {
  return queryOptions({
    ...revisionQuery({ uuid, workflowId, revisionId }),
    select: ({ revision }) => revision,
  });
}

export function countsOf(uuid: string, workflowId: number) {
  const path = { workspace_uuid: uuid, workflow_id: workflowId };
  return queryOptions({
    queryKey: [uuid, 'assignment-counts', workflowId],
    refetchInterval: countMs,
    queryFn: () =>
      answer(api.GET('/w/{workspace_uuid}/workflows/{workflow_id}/assignments/counts', { params: { path } })),
  });
}

/** Moves an assignment to a task. */
export function selectTask(uuid: string, id: number, taskId: number) {
  const path = { workspace_uuid: uuid, assignment_id: id, assignment_task_id: taskId };
  return answer(
    api.PUT('/w/{workspace_uuid}/assignments/{assignment_id}/tasks/{assignment_task_id}/select', {
      params: { path },
    }),
  );
}

/** What an act on an assignment may change: keys of queries, after that of the workspace. */
export const assignmentChanged = (id: number): QueryKey[] => [['assignments'], ['assignment', id]];
