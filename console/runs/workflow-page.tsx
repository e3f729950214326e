import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Page, Section } from '../kit/page.js';
import { TaskTree } from '../kit/task-tree.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useTexts } from '../texts/texts.js';
import { type Counts, countsOf, revisionOf, workflowOf } from './queries.js';
import { Reason, reasonOf } from './reason.js';
import styles from './runs.module.css';
import type { TaskWithMarks } from './task-with-marks.js';
import { useRunTexts } from './texts.js';

type Workflow = Schemas['WorkflowResponse'];

/** Where the assignments of a workflow are, and how many have entered each task. */
export function WorkflowPage(): ReactNode {
  const texts = useRunTexts();
  const common = useTexts();
  const { uuid, can } = useWorkspace();
  const { workflowId } = useParams({ from: '/w/$workspace/runs/workflows/$workflowId' });
  const id = Number(workflowId);
  const { data: workflow, error } = useQuery(workflowOf(uuid, id));
  const counts = useQuery(countsOf(uuid, id));
  const list = (
    <Link to="/w/$workspace/runs" params={{ workspace: uuid }} search={{ workflowId: id }}>
      {texts.title}
    </Link>
  );
  if (workflow === undefined || counts.data === undefined) {
    const failed = error ?? counts.error;
    return (
      <Page title={texts.workflow} above={list}>
        {failed === null ? <p role="status">{common.loading}</p> : <ErrorNotice error={failed} />}
      </Page>
    );
  }
  const { active, activeIsExact } = counts.data;
  return (
    <Page
      title={workflow.name}
      above={list}
      acts={can('workflows:write') ? <HoldOrResume workflow={workflow} /> : undefined}
    >
      {workflow.heldAt == null ? null : (
        <p className="banner">
          {texts.held} <At at={workflow.heldAt} withDay /> {workflow.heldReason}
        </p>
      )}
      <ErrorNotice error={error ?? counts.error} />
      <p>{filled(activeIsExact ? texts.activeCount : texts.activeAtLeast, { count: active })}</p>
      <Picture workflow={workflow} counts={counts.data} />
    </Page>
  );
}

function Picture({ workflow, counts }: { workflow: Workflow; counts: Counts }): ReactNode {
  const texts = useRunTexts();
  const { uuid } = useWorkspace();
  const search = useSearch({ from: '/w/$workspace/runs/workflows/$workflowId' });
  const revisionId = search.revisionId ?? workflow.activeRevisionId ?? counts.tasks[0]?.revisionId;
  if (revisionId === undefined) return <p className="quiet">{texts.noRevision}</p>;
  return (
    <Section title={texts.picture}>
      <OtherRevisions workflow={workflow} counts={counts} revisionId={revisionId} />
      <RevisionTree key={revisionId} uuid={uuid} {...{ workflow, counts, revisionId }} />
      <p className="quiet">{filled(texts.enteredHelp, { all: counts.newest })}</p>
    </Section>
  );
}

interface Shown {
  workflow: Workflow;
  counts: Counts;
  revisionId: number;
}

function RevisionTree({ workflow, counts, revisionId, uuid }: Shown & { uuid: string }): ReactNode {
  const texts = useRunTexts();
  const common = useTexts();
  const { data, error } = useQuery(revisionOf(uuid, workflow.id, revisionId));
  if (data === undefined) {
    return error === null ? <p role="status">{common.loading}</p> : <ErrorNotice error={error} />;
  }
  if (data.rootTask == null) return <p className="quiet">{texts.noRevision}</p>;
  const ofTask = new Map(counts.tasks.map((one) => [one.taskId, one]));
  const newest = counts.tasks.find(({ taskId }) => taskId === data.rootTask?.id)?.visited ?? 0;
  const nodeOf = (task: NonNullable<typeof data.rootTask>): TaskWithMarks => {
    const { current = 0, visited = 0 } = ofTask.get(task.id) ?? {};
    return {
      uuid: task.uuid,
      name: task.name,
      isQuiet: visited === 0 && current === 0,
      marks: (
        <>
          {current === 0 ? null : (
            <Link
              className={styles.here}
              to="/w/$workspace/runs"
              params={{ workspace: uuid }}
              search={{ workflowId: workflow.id, taskId: task.id, status: 'active' }}
            >
              {filled(texts.isHere, { count: current })}
            </Link>
          )}
          {newest === 0 ? null : (
            <span className={styles.mark}>
              <meter aria-hidden="true" className={styles.meter} value={visited} max={newest} />{' '}
              {filled(texts.haveEntered, { count: visited, all: newest })}
            </span>
          )}
        </>
      ),
      children: task.children.map(nodeOf),
    };
  };
  return <TaskTree label={texts.tree} root={nodeOf(data.rootTask)} note={({ marks }) => marks} />;
}

/** Assignments keep their revision: those of others are one link away. */
function OtherRevisions({ workflow, counts, revisionId }: Shown): ReactNode {
  const texts = useRunTexts();
  const { uuid } = useWorkspace();
  const numbers = new Map(counts.tasks.map((one) => [one.revisionId, one.revisionNumber]));
  if (workflow.activeRevisionId !== null && workflow.activeRevisionNumber !== null) {
    numbers.set(workflow.activeRevisionId, workflow.activeRevisionNumber);
  }
  if (numbers.size < 2) return null;
  const activeIn = (id: number) =>
    counts.tasks.filter((one) => one.revisionId === id).reduce((sum, { current }) => sum + current, 0);
  return (
    <nav aria-label={texts.otherRevisions} className="acts">
      {[...numbers].map(([id, number]) => (
        <Link
          key={id}
          to="/w/$workspace/runs/workflows/$workflowId"
          params={{ workspace: uuid, workflowId: String(workflow.id) }}
          search={{ revisionId: id }}
          aria-current={id === revisionId ? 'true' : undefined}
        >
          {texts.revision} {number} ({filled(texts.activeCount, { count: activeIn(id) })})
        </Link>
      ))}
    </nav>
  );
}

function HoldOrResume({ workflow: { id, heldAt } }: { workflow: Workflow }): ReactNode {
  const texts = useRunTexts();
  const { uuid } = useWorkspace();
  const params = { path: { workspace_uuid: uuid, workflow_id: id } };
  const isHeld = heldAt !== null;
  const [reason, setReason] = useState('');
  const body = { reason: reasonOf(reason) };
  return (
    <AsksFirst
      key={String(isHeld)}
      title={isHeld ? texts.resume : texts.hold}
      help={isHeld ? texts.resumeHelp : texts.holdHelp}
      tone={isHeld ? 'primary' : 'danger'}
      act={() =>
        isHeld
          ? answer(api.POST('/w/{workspace_uuid}/workflows/{workflow_id}/resume', { params }))
          : answer(api.POST('/w/{workspace_uuid}/workflows/{workflow_id}/hold', { params, body }))
      }
      changes={[['workflow', id], ['workflows'], ['assignment'], ['assignments']]}
    >
      {isHeld ? null : <Reason value={reason} onChange={setReason} />}
    </AsksFirst>
  );
}
