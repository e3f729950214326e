import { useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '../kit/api.js';
import { type SavedDraft, type StoredValue, useSavedDraft } from '../kit/use-saved-draft.js';
import { useWorkspace } from '../kit/workspace.js';
import { pathOf, type RevisionPath, revisionQuery, type StoredRevision, storedRevision } from './queries.js';
import type { Task } from './task-document.js';

/** Where this browser keeps what a person does with a revision. */
export function useDraftKey({ uuid, revisionId }: RevisionPath): string {
  const { me } = useWorkspace();
  return `${uuid}:${me.id}:workflow:${revisionId}`;
}

type Root = Task | null;

/** The tree of a draft while it is changed. */
export function useDraft(at: RevisionPath, stored: StoredRevision, isEditable: boolean): SavedDraft<Root> {
  const queries = useQueryClient();
  const save = async ({ value, etag }: StoredValue<Root>) => {
    const next = await storedRevision(
      api.PUT('/w/{workspace_uuid}/workflows/{workflow_id}/revisions/{revision_id}', {
        params: { path: pathOf(at), header: { 'If-Match': etag } },
        body: { rootTask: value as unknown as Schemas['WorkflowTaskInput'] },
      }),
    );
    queries.setQueryData(revisionQuery(at).queryKey, next);
    return { value: next.root, etag: next.etag };
  };
  return useSavedDraft({
    place: useDraftKey(at),
    stored: { value: stored.root, etag: stored.etag },
    isEditable,
    save,
    onRefused: () => void queries.invalidateQueries({ queryKey: [at.uuid, 'workflow', at.workflowId] }),
  });
}
