import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Ago, At } from '../kit/times.js';
import { wordsOf } from '../kit/words-of.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import styles from './inbox.module.css';
import { useInboxTexts } from './texts.js';

/** In which task the assignment is, where it can go from here, and what led to it. */
export function TaskPanel({ assignmentId }: { assignmentId: number }): ReactNode {
  const texts = useInboxTexts();
  const { uuid, can } = useWorkspace();
  const queries = useQueryClient();
  const path = { workspace_uuid: uuid, assignment_id: assignmentId };
  const key = [uuid, 'assignment', assignmentId];
  const { data: task, error } = useQuery({
    queryKey: [...key, 'task'],
    queryFn: () =>
      answer(
        api.GET('/w/{workspace_uuid}/assignments/{assignment_id}/current-task-detail', { params: { path } }),
      ),
  });
  const timeline = useQuery({
    queryKey: [...key, 'timeline'],
    queryFn: () =>
      answer(
        api.GET('/w/{workspace_uuid}/assignments/{assignment_id}/timeline', {
          params: { path, query: { sortOrder: 'desc', limit: 30 } },
        }),
      ),
  });
  const select = useMutation({
    mutationFn: (assignmentTaskId: number) =>
      answer(
        api.PUT('/w/{workspace_uuid}/assignments/{assignment_id}/tasks/{assignment_task_id}/select', {
          params: { path: { ...path, assignment_task_id: assignmentTaskId } },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  });
  return (
    <section>
      <h3>{texts.task}</h3>
      {error === null ? null : <p className="quiet">{error.message}</p>}
      {task === undefined ? null : (
        <>
          <p>
            <Link
              to="/w/$workspace/runs/$assignmentId"
              params={{ workspace: uuid, assignmentId: String(assignmentId) }}
            >
              {task.taskName}
            </Link>
            <br />
            {task.state}
            {task.dueAt === undefined ? null : (
              <>
                {' '}
                <At at={task.dueAt} withDay />
              </>
            )}
          </p>
          <Choices
            task={task}
            disabled={select.isPending}
            select={can('assignments:write') ? select.mutate : undefined}
          />
          <ErrorNotice error={select.error} />
        </>
      )}
      {timeline.data === undefined ? null : <Timeline entries={timeline.data.items} />}
    </section>
  );
}

interface ChoicesProps {
  task: Schemas['OperatorTaskDetailResponse'];
  disabled: boolean;
  select: ((assignmentTaskId: number) => void) | undefined;
}

function Choices({ task, disabled, select }: ChoicesProps): ReactNode {
  const texts = useInboxTexts();
  if (task.childTasks.length === 0) return null;
  return (
    <ul className={styles.plainList}>
      {task.childTasks.map(
        ({ assignmentTaskId, taskName, visitedAt, celGuard, celCondition, notOffered }) => (
          <li key={assignmentTaskId}>
            {select === undefined || notOffered !== undefined ? (
              taskName
            ) : (
              <button
                type="button"
                className="link"
                disabled={disabled}
                onClick={() => select(assignmentTaskId)}
              >
                {taskName}
              </button>
            )}{' '}
            {visitedAt === undefined ? null : <span className="chip">{texts.visited}</span>}
            {[celGuard, celCondition].map((expression) =>
              expression === undefined ? null : <code key={expression}>{expression}</code>,
            )}
            {notOffered === undefined ? null : (
              <p className="quiet">
                {filled(texts.notOffered[notOffered.rule], { task: notOffered.taskName })}
              </p>
            )}
          </li>
        ),
      )}
    </ul>
  );
}

/** What happened in the assignment beside the messages, the newest first. */
function Timeline({ entries }: { entries: readonly Schemas['TimelineEntryResponse'][] }): ReactNode {
  const texts = useInboxTexts();
  const shown = entries.filter(({ kind }) => kind !== 'message' && kind !== 'delivery');
  return (
    <ol className={styles.plainList}>
      {shown.map(({ id, at, kind, task, tool, reason, expression, ruleTask }) => (
        <li key={id}>
          {texts.timelineKinds[kind] ?? kind}
          {tool === undefined ? '' : ` ${tool}`}
          {task === undefined ? '' : ` “${task.name}”`}
          {ruleTask === undefined || expression === undefined ? null : (
            <>
              : <code>{expression}</code>
            </>
          )}
          {reason === undefined ? '' : ` (${wordsOf(reason, texts.reasons)})`}{' '}
          <span className="quiet">
            <Ago at={at} />
          </span>
        </li>
      ))}
    </ol>
  );
}
