import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../texts/texts.js';
import { ProblemError } from './api.js';
import { keepDraft, readDraft } from './drafts.js';
import { Form } from './field.js';
import styles from './field.module.css';
import { useWorkspace } from './workspace.js';

interface Props<T extends object> {
  /** Names what is not saved yet in this browser. */
  place: string;
  stored: T;
  mayChange: boolean;
  /** Reads what is stored now. */
  read(): Promise<T>;
  save(changes: Partial<T>): Promise<unknown>;
  /** Keys of queries that are read again, after that of the workspace. */
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

/**
 * A form that saves what was changed in it, and nothing else. Where somebody else has changed one of these fields meanwhile,
 * it says so; saving again puts the own values in place of the others. What is not saved stays in this browser.
 */
export function ChangesForm<T extends object>(props: Props<T>): ReactNode {
  const { place, stored, mayChange, children } = props;
  const texts = useTexts();
  const { uuid, me } = useWorkspace();
  const queries = useQueryClient();
  const key = `${uuid}:${me.id}:${place}`;
  const [edit, setEdit] = useState(() => readDraft<Edit<T>>(key) ?? { changes: {}, before: {} });
  const { changes } = edit;
  const keep = (next: Edit<T>) => {
    setEdit(next);
    keepDraft(key, hasChanges(next) ? next : undefined);
  };
  const readAgain = () =>
    Promise.all(props.reads.map((one) => queries.invalidateQueries({ queryKey: [uuid, ...one] })));
  const save = useMutation({
    mutationFn: async (sent: Edit<T>) => {
      const now = await props.read();
      const fields = Object.keys(sent.changes) as (keyof T)[];
      if (fields.some((field) => JSON.stringify(now[field]) !== JSON.stringify(sent.before[field]))) {
        throw new ChangedMeanwhile(now, texts.changedMeanwhile);
      }
      await props.save(sent.changes);
    },
    onSuccess: async (_, sent) => {
      await readAgain();
      // What has been changed again while it was saved stays to be saved.
      setEdit((now) => {
        const rest = { changes: without(now.changes, sent.changes), before: sent.changes };
        keepDraft(key, hasChanges(rest) ? rest : undefined);
        return rest;
      });
    },
    onError: async (error, sent) => {
      if (error instanceof ChangedMeanwhile) {
        keep({ changes: sent.changes, before: valuesOf(error.now as T, sent.changes) });
      }
      await readAgain();
    },
  });
  const isChanged = hasChanges(edit);
  const change = (changed: Partial<T>) => {
    if (!save.isPending) save.reset();
    keep({
      changes: { ...changes, ...changed },
      before: isChanged ? { ...valuesOf(stored, changed), ...edit.before } : valuesOf(stored, changed),
    });
  };
  return (
    <Form error={save.error} onSubmit={() => (isChanged ? save.mutate(edit) : undefined)}>
      <fieldset className={styles.fields} disabled={!mayChange}>
        {children({ ...stored, ...changes }, change)}
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
                keep({ changes: {}, before: {} });
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

/** The fields whose values the other has not. */
function without<T extends object>(some: Partial<T>, other: Partial<T>): Partial<T> {
  const values = new Map<string, unknown>(Object.entries(other));
  return Object.fromEntries(
    Object.entries(some).filter(([field, value]) => values.get(field) !== value),
  ) as Partial<T>;
}

/** The values that something has where it is changed. */
function valuesOf<T extends object>(stored: T, changes: Partial<T>): Partial<T> {
  const fields = Object.keys(changes) as (keyof T)[];
  return Object.fromEntries(fields.map((field) => [field, stored[field]])) as Partial<T>;
}
