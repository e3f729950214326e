import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { Section } from '../kit/page.js';
import { At } from '../kit/times.js';
import { wordsOf } from '../kit/words-of.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import { Bars } from './bars.js';
import { type Entry, timelineOf } from './queries.js';
import styles from './runs.module.css';
import { useRunTexts } from './texts.js';

/** What happened in an assignment: the time in each task as bars, and every entry behind them. */
export function Timeline({ assignmentId, chatId }: { assignmentId: number; chatId: number }): ReactNode {
  const texts = useRunTexts();
  const common = useTexts();
  const { uuid, can } = useWorkspace();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    timelineOf(uuid, assignmentId),
  );
  const entries = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Section title={texts.timeline}>
      <ErrorNotice error={error} />
      {data === undefined && error === null ? <p role="status">{common.loading}</p> : null}
      <Bars entries={entries.toReversed()} />
      <ol className={styles.entries} aria-label={texts.timeline}>
        {entries.map((entry) => (
          <TimelineEntry key={entry.id} entry={entry} />
        ))}
      </ol>
      {hasNextPage ? (
        <p>
          <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.earlier}
          </button>
        </p>
      ) : null}
      {can('chats:read') ? (
        <p>
          <Link
            to="/w/$workspace/inbox/$chatId"
            params={{ workspace: uuid, chatId: String(chatId) }}
            search={{ view: 'all' }}
          >
            {texts.messagesInChat}
          </Link>
        </p>
      ) : null}
    </Section>
  );
}

function TimelineEntry({ entry }: { entry: Entry }): ReactNode {
  const texts = useRunTexts();
  const { at, kind, task, ruleTask, rule, expression, tool, status, reason, until, times, by } = entry;
  return (
    <li>
      <At at={at} withDay />
      <span>
        <strong>{texts.kinds[kind] ?? kind}</strong>
        {task === undefined ? null : ` “${task.name}”`}
        {tool === undefined ? null : ` ${tool}`}
        {status === undefined ? null : ` ${texts.statuses[status as 'active'] ?? status}`}
        {reason === undefined ? null : ` (${wordsOf(reason, texts.stands)})`}
        {until === undefined ? null : (
          <>
            {' → '}
            <At at={until} withDay />
          </>
        )}
        {times === undefined ? null : ` × ${times}`}
        {by === undefined ? null : <span className="quiet"> {texts.by[by]}</span>}
        {ruleTask === undefined || (rule !== 'cel_guard' && rule !== 'cel_condition') ? null : (
          <Refusal rule={rule} task={ruleTask.name} expression={expression} />
        )}
      </span>
    </li>
  );
}

interface RefusalProps {
  rule: 'cel_guard' | 'cel_condition';
  task: string;
  expression: string | undefined;
}

/** Why a task cannot or could not be entered. */
export function Refusal({ rule, task, expression }: RefusalProps): ReactNode {
  const texts = useRunTexts();
  return (
    <span className={styles.refusal}>
      {texts.refusals[rule].replace('{task}', () => task)}
      {expression === undefined ? null : (
        <>
          : <code dir="ltr">{expression}</code>
        </>
      )}
    </span>
  );
}
