import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { Status } from '../kit/page.js';
import { filled, useTexts } from '../texts/texts.js';
import { changesBetween, type TaskChange } from './changes.js';
import { revisionQuery, type Workflow } from './queries.js';
import type { Task } from './task-document.js';
import { useWorkflowTexts } from './texts.js';
import styles from './workflows.module.css';

/** What differs from the revision that is in use; undefined until that is read. */
export function useChanges(uuid: string, workflow: Workflow, root: Task | null) {
  const { id: workflowId, activeRevisionId } = workflow;
  const active = useQuery({
    ...revisionQuery({ uuid, workflowId, revisionId: activeRevisionId ?? 0 }),
    enabled: activeRevisionId !== null,
  });
  const isKnown = activeRevisionId === null || active.data !== undefined;
  return {
    changes: isKnown ? changesBetween(active.data?.root ?? null, root) : undefined,
    error: active.error,
  };
}

interface Props {
  workflow: Workflow;
  changes: readonly TaskChange[] | undefined;
  error: Error | null;
  onShow(uuid: string): void;
}

/** What has changed since the revision that is in use, by task. */
export function ChangesView({ workflow, changes, error, onShow }: Props): ReactNode {
  const texts = useWorkflowTexts();
  const { loading } = useTexts();
  if (changes === undefined) {
    return error === null ? <p role="status">{loading}</p> : <ErrorNotice error={error} />;
  }
  const number = workflow.activeRevisionNumber;
  return (
    <>
      <p className="quiet">
        {number === null ? texts.firstRevision : filled(texts.comparedWith, { number })}
      </p>
      {changes.length === 0 ? <p>{texts.noChanges}</p> : null}
      <ul className={styles.changes}>
        {changes.map((change) => (
          <li key={change.uuid}>
            <Status tone={change.kind === 'removed' ? 'danger' : change.kind === 'added' ? 'done' : 'quiet'}>
              {texts.kinds[change.kind]}
            </Status>{' '}
            {change.kind === 'removed' ? (
              <del>{change.name}</del>
            ) : (
              <button type="button" className="link" onClick={() => onShow(change.uuid)}>
                {change.name}
              </button>
            )}
            {change.isMoved ? <p className="quiet">{texts.moved}</p> : null}
            {change.fields.map(({ path, before, after }) => (
              <dl key={path}>
                <dt>{texts.fields[path] ?? path}</dt>
                <dd>
                  <del>
                    <span className="unseen">{texts.before}: </span>
                    {shown(before, texts.nothing)}
                  </del>
                </dd>
                <dd>
                  <ins>
                    <span className="unseen">{texts.after}: </span>
                    {shown(after, texts.nothing)}
                  </ins>
                </dd>
              </dl>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

function shown(value: unknown, nothing: string): string {
  if (value === undefined || value === false) return nothing;
  if (value === true) return '✓';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
