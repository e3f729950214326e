import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { Facts, Page, Section } from '../kit/page.js';
import { TaskTree } from '../kit/task-tree.js';
import { Ago } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useTexts } from '../texts/texts.js';
import { Acts } from './acts.js';
import { StatusOf } from './assignments-page.js';
import { type Assignment, assignmentOf, timelineOf } from './queries.js';
import styles from './runs.module.css';
import type { TaskWithMarks } from './task-with-marks.js';
import { useRunTexts } from './texts.js';
import { Timeline } from './timeline.js';
import { Why } from './why.js';

/** One assignment: why it is where it is, its tasks, and what happened. */
export function AssignmentPage(): ReactNode {
  const texts = useRunTexts();
  const common = useTexts();
  const { uuid } = useWorkspace();
  const { assignmentId } = useParams({ from: '/w/$workspace/runs/$assignmentId' });
  const { data, error } = useQuery(assignmentOf(uuid, Number(assignmentId)));
  const list = (
    <Link to="/w/$workspace/runs" params={{ workspace: uuid }}>
      {texts.title}
    </Link>
  );
  if (data === undefined) {
    return (
      <Page title={filled(texts.assignment, { id: assignmentId })} above={list}>
        {error === null ? <p role="status">{common.loading}</p> : <ErrorNotice error={error} />}
      </Page>
    );
  }
  const { memberId, memberName = filled(texts.unknownMember, { id: memberId }), workflowName } = data;
  return (
    <Page title={`${memberName}: ${workflowName}`} above={list} acts={<Acts assignment={data} />}>
      <ErrorNotice error={error} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <Why assignment={data} />
          <Timeline assignmentId={data.id} chatId={data.chatId} />
        </div>
        <div className={styles.column}>
          <About assignment={data} />
          <Tree assignment={data} />
        </div>
      </div>
    </Page>
  );
}

function About({ assignment }: { assignment: Assignment }): ReactNode {
  const texts = useRunTexts();
  const { uuid, can } = useWorkspace();
  const { memberId, memberName, workflowId, workflowName, chatId, runUrl } = assignment;
  const params = { workspace: uuid };
  return (
    <Facts
      facts={[
        [texts.status, <StatusOf key="status" status={assignment.status} />],
        [
          texts.member,
          <span key="member" className="acts">
            {can('members:read') ? (
              <Link to="/w/$workspace/members/$memberId" params={{ ...params, memberId: String(memberId) }}>
                {memberName ?? filled(texts.unknownMember, { id: memberId })}
              </Link>
            ) : (
              memberName
            )}
            <Link to="/w/$workspace/runs" params={params} search={{ memberId }}>
              {texts.otherAssignments}
            </Link>
          </span>,
        ],
        [
          texts.workflow,
          can('workflows:read') ? (
            <Link
              key="workflow"
              to="/w/$workspace/runs/workflows/$workflowId"
              params={{ ...params, workflowId: String(workflowId) }}
              search={{ revisionId: assignment.workflowRevisionId }}
            >
              {workflowName}
            </Link>
          ) : (
            workflowName
          ),
        ],
        [texts.revision, assignment.workflowRevisionNumber],
        [texts.begun, <Ago key="begun" at={assignment.createdAt} />],
        [
          texts.chat,
          can('chats:read') ? (
            <Link
              key="chat"
              to="/w/$workspace/inbox/$chatId"
              params={{ ...params, chatId: String(chatId) }}
              search={{ view: 'all' }}
            >
              {chatId}
            </Link>
          ) : undefined,
        ],
        [
          texts.run,
          runUrl === undefined ? undefined : (
            <a key="run" href={runUrl} target="_blank" rel="noreferrer">
              {assignment.uuid.slice(0, 8)}
            </a>
          ),
        ],
      ]}
    />
  );
}

function Tree({ assignment: { id, rootTask, currentTask } }: { assignment: Assignment }): ReactNode {
  const texts = useRunTexts();
  const { uuid } = useWorkspace();
  const { data } = useInfiniteQuery(timelineOf(uuid, id));
  const entries = data?.pages.flatMap(({ items }) => items) ?? [];
  const timesOf = (taskId: number) =>
    entries.filter(({ kind, task }) => kind === 'entered' && task?.assignmentTaskId === taskId).length;
  if (rootTask === undefined) return null;
  const nodeOf = (task: typeof rootTask): TaskWithMarks => {
    const times = timesOf(task.id);
    const isCurrent = task.id === currentTask?.id;
    const isVisited = task.visitedAt != null;
    return {
      uuid: String(task.id),
      name: task.taskName,
      isQuiet: !isVisited,
      marks: (
        <>
          {isCurrent ? <strong className={styles.here}>{texts.current}</strong> : null}
          {!isVisited ? null : (
            <span className={styles.mark}>
              <span aria-hidden="true">✓ </span>
              {times > 1 ? filled(texts.visitedTimes, { times }) : texts.visited}
            </span>
          )}
          {task.required && !isVisited ? <span className={styles.mark}>{texts.required}</span> : null}
        </>
      ),
      children: task.children.map(nodeOf),
    };
  };
  return (
    <Section title={texts.tree}>
      <TaskTree
        label={texts.tree}
        root={nodeOf(rootTask)}
        current={currentTask === undefined ? undefined : String(currentTask.id)}
        note={({ marks }) => marks}
      />
    </Section>
  );
}
