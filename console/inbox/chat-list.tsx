import { useQueries, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import { ChatRow } from './chat-row.js';
import styles from './inbox.module.css';
import { inboxPage, pageSize } from './queries.js';

const rowHeight = 88;

/** A list of chats of any length: it reads and shows the rows that are in view. */
export function ChatList({ openId }: { openId: number | undefined }): ReactNode {
  const texts = useTexts();
  const { uuid } = useWorkspace();
  const search = useSearch({ from: '/w/$workspace/inbox' });
  const list = useRef<HTMLDivElement>(null);
  const { data: first, error } = useQuery(inboxPage(uuid, search, 1));
  const rows = useVirtualizer({
    count: first?.total ?? 0,
    getScrollElement: () => list.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const inView = rows.getVirtualItems();
  const pages = [...new Set(inView.map(({ index }) => Math.floor(index / pageSize) + 1))];
  const results = useQueries({ queries: pages.map((page) => inboxPage(uuid, search, page)) });
  const chatAt = (index: number) => {
    const place = pages.indexOf(Math.floor(index / pageSize) + 1);
    return results[place]?.data?.items[index % pageSize];
  };

  if (first === undefined)
    return error === null ? <p role="status">{texts.loading}</p> : <ErrorNotice error={error} />;
  if (first.total === 0) return <p className={styles.empty}>{texts.emptyViews[search.view ?? 'waiting']}</p>;
  return (
    <div ref={list} className={styles.list}>
      <ul style={{ height: rows.getTotalSize() }}>
        {inView.map(({ index, start }) => {
          const chat = chatAt(index);
          return (
            <li
              key={chat?.id ?? `row ${index}`}
              style={{ transform: `translateY(${start}px)`, height: rowHeight }}
            >
              {chat === undefined ? null : <ChatRow chat={chat} isOpen={chat.id === openId} />}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
