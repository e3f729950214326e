import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFailureTexts } from '../inbox/failure-texts.js';
import { Page, Status } from '../kit/page.js';
import { Read } from '../kit/read.js';
import { At } from '../kit/times.js';
import { wordsOf } from '../kit/words-of.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import styles from './figures.module.css';
import { failedQuery } from './queries.js';
import type { FailedSearch } from './search.js';
import { useFigureTexts } from './texts.js';

/** The messages that did not arrive, and why. */
export function FailedPage(): ReactNode {
  const texts = useFigureTexts();
  const common = useTexts();
  const failures = useFailureTexts();
  const { uuid, can } = useWorkspace();
  const search = useSearch({ from: '/w/$workspace/figures/failed' });
  const { since, reason } = search;
  const query = useInfiniteQuery(failedQuery(uuid, search));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const params = { workspace: uuid };
  const without = (part: keyof FailedSearch, name: string) => (
    <Link to="/w/$workspace/figures/failed" params={params} search={{ ...search, [part]: undefined }}>
      {name}
    </Link>
  );
  return (
    <Page
      title={texts.failedTitle}
      above={
        can('workspace:read') ? (
          <Link to="/w/$workspace/figures" params={params}>
            {texts.title}
          </Link>
        ) : undefined
      }
    >
      {since === undefined && reason === undefined ? null : (
        <p>
          {since === undefined ? null : (
            <>
              {texts.since} <At at={since} withDay />. {without('since', texts.earlierToo)}{' '}
            </>
          )}
          {reason === undefined ? null : (
            <>
              {texts.reason}: {wordsOf(reason, failures)}. {without('reason', texts.allReasons)}
            </>
          )}
        </p>
      )}
      <Read query={query}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          if (items.length === 0) return <p className="quiet">{texts.noneFailed}</p>;
          return (
            <ul className={styles.failed} aria-label={texts.failedTitle}>
              {items.map((item) => (
                <li key={item.id}>
                  <Link
                    to="/w/$workspace/inbox/$chatId"
                    params={{ ...params, chatId: String(item.chatId) }}
                    search={{ view: 'all' }}
                  >
                    {item.memberName ?? texts.unknownPerson}
                  </Link>{' '}
                  <span className="quiet">
                    {common.channels[item.channel]}, <At at={item.createdAt} withDay />
                  </span>{' '}
                  <Status tone="danger">
                    {item.failureReason === undefined
                      ? texts.unknownReason
                      : wordsOf(item.failureReason, failures)}
                  </Status>
                  <p dir="auto">{item.text}</p>
                </li>
              ))}
            </ul>
          );
        }}
      </Read>
      {hasNextPage ? (
        <p>
          <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {common.more}
          </button>
        </p>
      ) : null}
    </Page>
  );
}
