import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Tagged } from '../kit/api.js';
import { changedByOthersToo, fieldsOf } from '../kit/changed-fields.js';
import { keepDraft, readDraft } from '../kit/drafts.js';

interface Options<T> {
  /** Where this browser keeps what is not saved. */
  place: string;
  /** What is stored, as far as it is known. */
  stored: T;
  /** Reads what is stored, and shows it. */
  read(): Promise<Tagged<T>>;
  /** Sends what was changed, on what is stored. */
  write(changes: Partial<T>, etag: string): Promise<T>;
  onSaved(saved: T): unknown;
}

interface Draft<T> {
  changes: Partial<T>;
  /** What the changed fields had before. */
  before: Partial<T>;
}

export interface FieldsForm<T> {
  /** What is stored, with what was changed. */
  value: T;
  change(changes: Partial<T>): void;
  isChanged: boolean;
  save(): void;
  drop(): void;
  isSaving: boolean;
  isSaved: boolean;
  /** Whether somebody else has meanwhile changed what is changed here. */
  hasRival: boolean;
  error: Error | null;
}

/** Fields that somebody changes: kept in this browser until they are saved or dropped, and only what was changed is sent. */
export function useFieldsForm<T extends object>(options: Options<T>): FieldsForm<T> {
  const { place, stored, read, write, onSaved } = options;
  const [draft, setDraft] = useState(() => readDraft<Draft<T>>(place));
  const newest = useRef(draft);
  useEffect(() => {
    newest.current = draft;
  });
  const put = (next: Draft<T> | undefined) => {
    keepDraft(place, next);
    setDraft(next);
  };
  const save = useMutation({
    mutationFn: async ({ changes }: Draft<T>) => {
      const { body, etag } = await read();
      // What is shown now was not seen by who has pressed the button: they decide with the next press.
      return changedByOthersToo(changes, stored, body).length > 0 ? undefined : write(changes, etag);
    },
    onSuccess: async (saved, sent) => {
      if (saved === undefined) return;
      // What was changed while it was saved stays to be saved.
      const left = (now: Draft<T> | undefined) =>
        now === sent ? undefined : now && { ...now, before: { ...now.before, ...sent.changes } };
      keepDraft(place, left(newest.current));
      // Until what is stored is shown, what was sent is.
      await onSaved(saved);
      setDraft(left);
    },
  });
  return {
    value: { ...stored, ...draft?.changes },
    change: (changes) => {
      if (!save.isPending) save.reset();
      const now = Object.fromEntries(fieldsOf(changes).map((field) => [field, stored[field]])) as Partial<T>;
      put({
        changes: { ...draft?.changes, ...changes } as Partial<T>,
        before: { ...now, ...draft?.before },
      });
    },
    isChanged: draft !== undefined,
    save: () => draft !== undefined && save.mutate(draft),
    drop: () => {
      save.reset();
      put(undefined);
    },
    isSaving: save.isPending,
    isSaved: save.data !== undefined,
    hasRival: draft !== undefined && changedByOthersToo(draft.changes, draft.before, stored).length > 0,
    error: save.error,
  };
}
