import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { filled, useTexts } from '../texts/texts.js';
import { ProblemError } from './api.js';
import { changedByOthersToo, fieldsOf, isSame } from './changed-fields.js';
import { keepDraft, readDraft } from './drafts.js';
import { Form } from './field.js';
import styles from './field.module.css';
import { usePlace } from './place.js';

interface Props<T extends object> {
  /** Names what is not saved yet in this browser. */
  place: string;
  stored: T;
  mayChange: boolean;
  /** Reads what is stored now. */
  read(): Promise<T>;
  /** Sends what was changed; `now` is what has just been read. */
  save(changes: Partial<T>, now: T): Promise<unknown>;
  /** Keys of queries that are read again, after that of the place. */
  reads: readonly QueryKey[];
  /** The fields, with the values as they are entered. */
  children(value: T, change: (changed: Partial<T>) => void): ReactNode;
}

/** Fields as they are entered, and as they were before. */
interface Edit<T> {
  changes: Partial<T>;
  before: Partial<T>;
}

/** Somebody else has changed what is to be saved. */
class ChangedMeanwhile<T> extends ProblemError {
  readonly now: T;

  constructor(now: T, detail: string) {
    super({ status: 412, code: 'precondition_failed', detail });
    this.now = now;
  }
}

const unchanged = { changes: {}, before: {} };

/**
 * A form that saves what was changed in it, and nothing else. Where somebody else has changed one of these fields meanwhile,
 * it says so; saving again puts the own values in place of the others. What is not saved stays in this browser.
 */
export function ChangesForm<T extends object>(props: Props<T>): ReactNode {
  const { place, stored, mayChange, children } = props;
  const texts = useTexts();
  const { uuid, ownId } = usePlace();
  const queries = useQueryClient();
  const key = `${uuid}:${ownId}:${place}`;
  const [edit, setEdit] = useState<Edit<T>>(() => (mayChange && readDraft<Edit<T>>(key)) || unchanged);
  // What is written while a request goes on is in no closure of that request.
  const newest = useRef(edit);
  const keep = ({ changes, before }: Edit<T>) => {
    newest.current = { changes, before: valuesOf(before, changes) };
    setEdit(newest.current);
    keepDraft(key, hasChanges(newest.current) ? newest.current : undefined);
  };
  const readAgain = () =>
    Promise.all(props.reads.map((one) => queries.invalidateQueries({ queryKey: [uuid, ...one] })));
  const save = useMutation({
    mutationFn: async ({ changes, before }: Edit<T>) => {
      const now = await props.read();
      const others = changedByOthersToo(changes, before, now);
      if (others.length > 0) {
        const values = others.flatMap((field) => wordsOf(field, now[field])).join(', ');
        const nowStored = values === '' ? '' : ` ${filled(texts.nowStored, { values })}`;
        throw new ChangedMeanwhile(now, texts.changedMeanwhile + nowStored);
      }
      await props.save(changes, now);
    },
    onSuccess: async (_, sent) => {
      await readAgain();
      // What has been changed again while it was saved stays to be saved.
      const { changes, before } = newest.current;
      keep({ changes: without(changes, sent.changes), before: { ...before, ...sent.changes } });
    },
    onError: async (error, sent) => {
      if (error instanceof ChangedMeanwhile) {
        const { changes, before } = newest.current;
        keep({ changes, before: { ...before, ...valuesOf(error.now as T, sent.changes) } });
      }
      await readAgain();
    },
  });
  const isChanged = hasChanges(edit);
  const change = (changed: Partial<T>) => {
    if (!save.isPending) save.reset();
    const { changes, before } = newest.current;
    keep({ changes: { ...changes, ...changed }, before: { ...valuesOf(stored, changed), ...before } });
  };
  return (
    <Form error={save.error} onSubmit={() => (isChanged ? save.mutate(edit) : undefined)}>
      <fieldset className={styles.fields} disabled={!mayChange}>
        {children({ ...stored, ...edit.changes }, change)}
      </fieldset>
      {mayChange ? (
        <div className="acts">
          <button type="submit" className="primary" disabled={save.isPending}>
            {save.isPending ? texts.saving : texts.save}
          </button>
          {isChanged ? (
            <button
              type="button"
              disabled={save.isPending}
              onClick={() => {
                save.reset();
                keep(unchanged);
              }}
            >
              {texts.undo}
            </button>
          ) : null}
          <span role="status">{save.isSuccess && !isChanged ? texts.saved : null}</span>
        </div>
      ) : (
        <p className="quiet">{texts.readOnly}</p>
      )}
    </Form>
  );
}

const hasChanges = ({ changes }: { changes: object }): boolean => Object.keys(changes).length > 0;

/** A value as it can be told in a line; ids and structures say nothing there. */
function wordsOf(field: string, value: unknown): string[] {
  const isTold = (typeof value === 'string' && value !== '') || typeof value === 'number';
  if (!isTold || field.endsWith('Id')) return [];
  const text = String(value);
  return [`“${text.length > 200 ? `${text.slice(0, 200)} …` : text}”`];
}

/** The fields whose values the other has not. */
function without<T extends object>(some: Partial<T>, other: Partial<T>): Partial<T> {
  const left = Object.entries(some).filter(
    ([field, value]) => !(field in other) || !isSame(value, other[field as keyof T]),
  );
  return Object.fromEntries(left) as Partial<T>;
}

/** The values that something has where it is changed. */
function valuesOf<T extends object>(stored: Partial<T>, changes: Partial<T>): Partial<T> {
  return Object.fromEntries(fieldsOf(changes).map((field) => [field, stored[field]])) as Partial<T>;
}
