import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hasNoAnswer, ProblemError } from './api.js';
import { keepDraft, readDraft } from './drafts.js';

/** Something as it is stored, with the mark by which the API knows that it is still so. */
export interface StoredValue<T> {
  value: T;
  etag: string;
}

interface Options<T> {
  /** Where this browser keeps what is not saved. */
  place: string;
  stored: StoredValue<T>;
  isEditable: boolean;
  /** Saves what was changed, on the state that it was made from, and shows what is stored then. */
  save(edit: StoredValue<T>): Promise<StoredValue<T>>;
  /** What is stored is another one now, or there is none any more. */
  onRefused(): void;
}

export interface SavedDraft<T> {
  value: T;
  /** What was not saved before it became something that is only read. */
  left: T | undefined;
  change(value: T): void;
  state: 'saved' | 'unsaved' | 'refused' | 'failed' | 'conflict';
  /** Why it was not saved. */
  error: Error | null;
  tryAgain(): void;
  /** In a conflict: what is stored now replaces what was typed here, or the other way around. */
  takeTheirs(): void;
  keepMine(): void;
}

/** Typing is saved when it rests for so long. */
const restMs = 700;

/**
 * Something that is changed as a whole: each change is saved by itself, on the state that it was made from. If somebody else has
 * changed it meanwhile, nothing is saved until a person has decided. What is not saved survives a reload.
 */
export function useSavedDraft<T>(options: Options<T>): SavedDraft<T> {
  const { place, stored, isEditable } = options;
  const [edit, setEdit] = useState(() => readDraft<StoredValue<T>>(place));
  const put = (next: StoredValue<T> | undefined) => {
    keepDraft(place, next);
    setEdit(next);
  };
  const save = useMutation({
    mutationFn: options.save,
    onSuccess: (next, saved) => {
      setEdit((now) => {
        const rest =
          now === undefined || now.value === saved.value ? undefined : { value: now.value, etag: next.etag };
        keepDraft(place, rest);
        return rest;
      });
    },
    onError: (error) => {
      if (!hasNoAnswer(error) && !hasStatus(error, 400)) options.onRefused();
    },
  });
  const { mutate, isPending, error, variables } = save;
  const isTried = error !== null && variables?.value === edit?.value && variables?.etag === edit?.etag;
  // What was saved here a moment ago may be newer than what was read.
  const isOlder = edit !== undefined && edit.etag !== stored.etag && edit.etag !== save.data?.etag;
  const hasConflict = !isPending && (isOlder || (isTried && hasStatus(error, 412)));
  const isDue = isEditable && edit !== undefined && !hasConflict && !isPending && !isTried;
  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(() => mutate(edit), restMs);
    return () => clearTimeout(timer);
  }, [isDue, edit, mutate]);
  return {
    value: (isEditable ? edit?.value : undefined) ?? stored.value,
    left: isEditable ? undefined : edit?.value,
    change: (value) => put({ value, etag: edit?.etag ?? stored.etag }),
    state: stateOf(),
    error: isTried && !hasConflict ? error : null,
    tryAgain: () => edit !== undefined && mutate(edit),
    takeTheirs: () => put(undefined),
    keepMine: () => edit !== undefined && put({ value: edit.value, etag: stored.etag }),
  };

  function stateOf(): SavedDraft<T>['state'] {
    if (edit === undefined) return 'saved';
    if (hasConflict) return 'conflict';
    if (!isTried) return 'unsaved';
    return hasNoAnswer(error) ? 'failed' : 'refused';
  }
}

const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof ProblemError && error.problem.status === status;
