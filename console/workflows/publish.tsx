import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schemas } from '../kit/api.js';
import { DialogButton } from '../kit/dialog.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { filled } from '../texts/texts.js';
import { type Check, publish, type RevisionPath } from './queries.js';
import { useWorkflowTexts } from './texts.js';

interface Props {
  at: RevisionPath;
  /** Of the stored draft; undefined while it is not saved or not checked. */
  check: Check | undefined;
  changedTasks: number | undefined;
  onPublished(): void;
}

/** Asks before it publishes: says what changes, what may be wrong, and where members stand. */
export function Publish({ at, check, changedTasks, onPublished }: Props): ReactNode {
  const texts = useWorkflowTexts();
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: () => publish(at, {}),
    onSuccess: () => {
      onPublished();
      void queries.invalidateQueries({ queryKey: [at.uuid, 'workflows'] });
      return queries.invalidateQueries({ queryKey: [at.uuid, 'workflow', at.workflowId] });
    },
  });
  return (
    <DialogButton title={texts.publish} disabled={check === undefined || check.errors.length > 0}>
      {(close) => (
        <>
          <p>{texts.publishConsequence}</p>
          {changedTasks === undefined ? null : <p>{filled(texts.changedTasks, { count: changedTasks })}</p>}
          {check === undefined || check.warnings.length === 0 ? null : (
            <>
              <h3>{texts.warnings}</h3>
              <ul>
                {check.warnings.map(({ field, message }) => (
                  <li key={`${field} ${message}`}>{message}</li>
                ))}
              </ul>
            </>
          )}
          {check?.impact === undefined ? null : <Standing impact={check.impact} />}
          <ErrorNotice error={act.error} />
          <div className="acts">
            <button
              type="button"
              className="primary"
              disabled={act.isPending}
              onClick={() => act.mutate(undefined, { onSuccess: close })}
            >
              {texts.publishIt}
            </button>
          </div>
        </>
      )}
    </DialogButton>
  );
}

/** Where members stand who are in the workflow now. */
function Standing({ impact }: { impact: Schemas['RevisionImpact'] }): ReactNode {
  const texts = useWorkflowTexts();
  const { total, totalIsExact, groups } = impact;
  if (total === 0) return <p>{texts.standingNone}</p>;
  return (
    <>
      <h3>{texts.standing}</h3>
      <p>{filled(texts.standingKept, { count: `${total}${totalIsExact ? '' : '+'}` })}</p>
      <div className="scrolls">
        <table className="list">
          <thead>
            <tr>
              <th scope="col">{texts.standingAt}</th>
              <th scope="col">{texts.standingCount}</th>
              <th scope="col">{texts.standingEffect}</th>
            </tr>
          </thead>
          <tbody>
            {groups.map(({ revisionId, revisionNumber, taskUuid, taskName, count, message }) => (
              <tr key={`${revisionId} ${taskUuid}`}>
                <td>
                  {taskName} <span className="quiet">({revisionNumber})</span>
                </td>
                <td>{count}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
