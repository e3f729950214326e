import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, hasNoAnswer, ProblemError, type Schemas } from '../kit/api.js';
import { keepDraft, readDraft } from '../kit/drafts.js';
import { useWorkspace } from '../kit/workspace.js';
import { pathOf, type RevisionPath, revisionQuery, type StoredRevision, storedRevision } from './queries.js';
import type { Task } from './task-document.js';

/** What has been changed and is not stored, and what it was made from. */
interface Edit {
  root: Task;
  etag: string;
}

/** Typing is saved when it rests for so long. */
const restMs = 700;

export interface Draft {
  root: Task | null;
  /** What was not saved before the revision became one that is only read. */
  left: Task | undefined;
  change(root: Task): void;
  state: 'saved' | 'unsaved' | 'refused' | 'failed' | 'conflict';
  /** Why it was not saved. */
  error: Error | null;
  tryAgain(): void;
  /** In a conflict: what is stored now replaces what was typed here, or the other way around. */
  takeTheirs(): void;
  keepMine(): void;
}

/** Where this browser keeps what a person does with a revision. */
export function useDraftKey({ uuid, revisionId }: RevisionPath): string {
  const { me } = useWorkspace();
  return `${uuid}:${me.id}:workflow:${revisionId}`;
}

/**
 * The tree of a draft while it is changed: each change is saved by itself, on the state that it was made from. If somebody else has
 * changed the draft meanwhile, nothing is saved until a person has decided. What is not saved survives a reload.
 */
export function useDraft(at: RevisionPath, stored: StoredRevision, isEditable: boolean): Draft {
  const queries = useQueryClient();
  const key = useDraftKey(at);
  const [edit, setEdit] = useState(() => readDraft<Edit>(key));
  const put = (next: Edit | undefined) => {
    keepDraft(key, next);
    setEdit(next);
  };
  const save = useMutation({
    mutationFn: ({ root, etag }: Edit) =>
      storedRevision(
        api.PUT('/w/{workspace_uuid}/workflows/{workflow_id}/revisions/{revision_id}', {
          params: { path: pathOf(at), header: { 'If-Match': etag } },
          body: { rootTask: root as unknown as Schemas['WorkflowTaskInput'] },
        }),
      ),
    onSuccess: (next, saved) => {
      queries.setQueryData(revisionQuery(at).queryKey, next);
      setEdit((now) => {
        const rest =
          now === undefined || now.root === saved.root ? undefined : { root: now.root, etag: next.etag };
        keepDraft(key, rest);
        return rest;
      });
    },
    onError: (error) => {
      // The draft is another one now, or none any more.
      if (!hasNoAnswer(error) && !hasStatus(error, 400)) {
        void queries.invalidateQueries({ queryKey: [at.uuid, 'workflow', at.workflowId] });
      }
    },
  });
  const { mutate, isPending, error, variables } = save;
  const isTried = error !== null && variables?.root === edit?.root && variables?.etag === edit?.etag;
  // What was saved here a moment ago may be newer than what was read.
  const isOlder = edit !== undefined && edit.etag !== stored.etag && edit.etag !== save.data?.etag;
  const hasConflict = !isPending && (isOlder || (isTried && isConflict(error)));
  const isDue = isEditable && edit !== undefined && !hasConflict && !isPending && !isTried;
  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(() => mutate(edit), restMs);
    return () => clearTimeout(timer);
  }, [isDue, edit, mutate]);
  return {
    root: (isEditable ? edit?.root : undefined) ?? stored.root,
    left: isEditable ? undefined : edit?.root,
    change: (root) => put({ root, etag: edit?.etag ?? stored.etag }),
    state: stateOf(),
    error: isTried && !hasConflict ? error : null,
    tryAgain: () => edit !== undefined && mutate(edit),
    takeTheirs: () => put(undefined),
    keepMine: () => edit !== undefined && put({ root: edit.root, etag: stored.etag }),
  };

  function stateOf(): Draft['state'] {
    if (edit === undefined) return 'saved';
    if (hasConflict) return 'conflict';
    if (!isTried) return 'unsaved';
    return hasNoAnswer(error) ? 'failed' : 'refused';
  }
}

const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof ProblemError && error.problem.status === status;
const isConflict = (error: unknown): boolean => hasStatus(error, 412);
