import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { Facts, Section } from '../kit/page.js';
import { Ago, At } from '../kit/times.js';
import { useAct } from '../kit/use-act.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useTexts } from '../texts/texts.js';
import { type Assignment, assignmentChanged, selectTask, type TaskDetail, taskOf } from './queries.js';
import styles from './runs.module.css';
import { useRunTexts } from './texts.js';
import { Refusal } from './timeline.js';
import { WaitsFor } from './waits-for.js';

/** What the assignment waits for, until when, why nothing moves it where that is so, and what can follow. */
export function Why({ assignment }: { assignment: Assignment }): ReactNode {
  const texts = useRunTexts();
  const common = useTexts();
  const { uuid } = useWorkspace();
  const { id, status, waits, outcome, outcomeReason, concludedAt } = assignment;
  const { data: task, error } = useQuery(taskOf(uuid, id));
  const isActive = status === 'active';
  const until = waits?.until;
  return (
    <Section title={texts.why}>
      {isActive ? (
        <p className={styles.answer}>
          {waits?.standingReason === undefined ? `${texts.waitsFor} ` : ''}
          <WaitsFor assignment={assignment} />
        </p>
      ) : null}
      <ErrorNotice error={error} />
      {task === undefined && error === null ? <p role="status">{common.loading}</p> : null}
      <Facts
        facts={[
          [texts.task, assignment.taskName],
          [texts.since, waits?.since === undefined ? undefined : <Ago key="since" at={waits.since} />],
          [
            texts.until,
            !isActive ? undefined : until === undefined ? (
              texts.noTime
            ) : (
              <At key="until" at={until} withDay />
            ),
          ],
          [
            texts.saysService,
            task === undefined ? undefined : (
              <q key="state" lang="en">
                {task.state}
              </q>
            ),
          ],
          [texts.outcome, outcome],
          [texts.reason, outcomeReason],
          [texts.ended, concludedAt === undefined ? undefined : <At key="ended" at={concludedAt} withDay />],
        ]}
      />
      {task === undefined || !isActive ? null : <Choices assignmentId={id} task={task} />}
    </Section>
  );
}

function Choices({ assignmentId, task }: { assignmentId: number; task: TaskDetail }): ReactNode {
  const texts = useRunTexts();
  const { uuid, can } = useWorkspace();
  const select = useAct(
    (taskId: number) => selectTask(uuid, assignmentId, taskId),
    ...assignmentChanged(assignmentId),
  );
  const mayMove = can('assignments:write');
  const goTo = (id: number, title: string) => (
    <button type="button" disabled={select.isPending} onClick={() => select.mutate(id)}>
      {title}
    </button>
  );
  return (
    <>
      <h3>{texts.choices}</h3>
      {task.childTasks.length === 0 ? <p className="quiet">{texts.noChoices}</p> : null}
      <ul className={styles.choices}>
        {task.childTasks.map(
          ({ assignmentTaskId, taskName, choicePrompt, visitedAt, notOffered, celGuard, celCondition }) => (
            <li key={assignmentTaskId}>
              {mayMove && notOffered === undefined ? (
                goTo(assignmentTaskId, filled(texts.go, { task: taskName }))
              ) : (
                <strong>{taskName}</strong>
              )}{' '}
              {visitedAt === undefined ? null : <span className="chip">{texts.visited}</span>}{' '}
              {notOffered === undefined ? (
                <span className="quiet">{choicePrompt}</span>
              ) : (
                <Refusal
                  rule={notOffered.rule}
                  task={notOffered.taskName}
                  expression={
                    notOffered.taskName !== taskName
                      ? undefined
                      : notOffered.rule === 'cel_guard'
                        ? celGuard
                        : celCondition
                  }
                />
              )}
            </li>
          ),
        )}
      </ul>
      <ErrorNotice error={select.error} />
      {mayMove ? <p>{goTo(task.assignmentTaskId, filled(texts.again, { task: task.taskName }))}</p> : null}
    </>
  );
}
