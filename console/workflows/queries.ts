import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { allPages } from '../kit/all-pages.js';
import { answer, api, ProblemError, type Schemas, taggedAnswer } from '../kit/api.js';
import { type Task, taskOf } from './task-document.js';

export type Workflow = Schemas['WorkflowResponse'];
export type RevisionSummary = Schemas['RevisionSummaryResponse'];
export const pageSize = 50;
/** As many as a page of the API can have; a menu of more is none. */
const manyRows = 100;

export function workflowQuery(uuid: string, workflowId: number) {
  const path = { workspace_uuid: uuid, workflow_id: workflowId };
  return queryOptions({
    queryKey: [uuid, 'workflow', workflowId],
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/workflows/{workflow_id}', { params: { path }, signal })),
  });
}

/** The newest revisions of a workflow. */
export function revisionsQuery(uuid: string, workflowId: number) {
  const path = { workspace_uuid: uuid, workflow_id: workflowId };
  return queryOptions({
    queryKey: [uuid, 'workflow', workflowId, 'revisions'],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/workflows/{workflow_id}/revisions', {
          params: { path, query: { pageSize: manyRows } },
          signal,
        }),
      ),
  });
}

/** A revision as it is stored, with the mark by which the API knows that it is still so. */
export interface StoredRevision {
  revision: Schemas['RevisionResponse'];
  root: Task | null;
  etag: string;
}

export interface RevisionPath {
  uuid: string;
  workflowId: number;
  revisionId: number;
}

export const pathOf = ({ uuid, workflowId, revisionId }: RevisionPath) => ({
  workspace_uuid: uuid,
  workflow_id: workflowId,
  revision_id: revisionId,
});

export async function storedRevision(
  call: Promise<{ data?: Schemas['RevisionResponse']; error?: unknown; response: Response }>,
): Promise<StoredRevision> {
  const { body: revision, etag } = await taggedAnswer(call);
  return { revision, root: revision.rootTask === null ? null : taskOf(revision.rootTask), etag };
}

export function revisionQuery(at: RevisionPath) {
  return queryOptions({
    queryKey: [at.uuid, 'workflow', at.workflowId, 'revision', at.revisionId],
    // A colleague may have changed it meanwhile.
    refetchOnWindowFocus: 'always',
    queryFn: ({ signal }) =>
      storedRevision(
        api.GET('/w/{workspace_uuid}/workflows/{workflow_id}/revisions/{revision_id}', {
          params: { path: pathOf(at) },
          signal,
        }),
      ),
  });
}

/** What publishing would refuse or warn of, and what it would mean. */
export interface Check {
  errors: readonly { pointer: string; message: string }[];
  warnings: Schemas['RevisionWarning'][];
  impact: Schemas['RevisionImpact'] | undefined;
}

/** @param etag of the stored draft: another one is another check */
export function checkQuery(at: RevisionPath, etag: string, enabled: boolean) {
  return queryOptions({
    queryKey: [at.uuid, 'workflow', at.workflowId, 'check', at.revisionId, etag],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<Check> => {
      try {
        const { warnings, assignments } = await publish(at, { dryRun: true });
        return { errors: [], warnings, impact: assignments };
      } catch (error) {
        const isRefusal = error instanceof ProblemError && error.problem.code === 'revision_not_publishable';
        if (!isRefusal) throw error;
        const { errors = [], detail } = error.problem;
        const all = errors.length > 0 ? errors : [{ pointer: '/rootTask', message: detail }];
        return { errors: all, warnings: [], impact: undefined };
      }
    },
  });
}

export const publish = (at: RevisionPath, body: { dryRun?: boolean }) =>
  answer(
    api.POST('/w/{workspace_uuid}/workflows/{workflow_id}/revisions/{revision_id}/publish', {
      params: { path: pathOf(at) },
      body,
    }),
  );

export function dataTypesQuery(uuid: string) {
  return queryOptions({
    queryKey: [uuid, 'data-types'],
    queryFn: ({ signal }) =>
      allPages((page) => {
        const params = { path: { workspace_uuid: uuid }, query: { page, pageSize: manyRows } };
        return answer(api.GET('/w/{workspace_uuid}/data-types', { params, signal }));
      }),
  });
}
