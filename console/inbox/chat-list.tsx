import { useQueries } from '@tanstack/react-query';
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
  const total = useRef(0);
  const rows = useVirtualizer({
    count: total.current,
    getScrollElement: () => list.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const inView = rows.getVirtualItems();
  const pages = [...new Set([1, ...inView.map(({ index }) => Math.floor(index / pageSize) + 1)])];
  const results = useQueries({ queries: pages.map((page) => inboxPage(uuid, search, page)) });
  const error = results.find((result) => result.error !== null)?.error;
  const first = results[0]?.data;
  total.current = first?.total ?? 0;
  rows.options.count = total.current;
  const chatAt = (index: number) => {
    const place = pages.indexOf(Math.floor(index / pageSize) + 1);
    return results[place]?.data?.items[index % pageSize];
  };

  if (first === undefined)
    return error ? <ErrorNotice error={error} /> : <p role="status">{texts.loading}</p>;
  if (first.total === 0) return <p className={styles.empty}>{texts.emptyViews[search.view ?? 'waiting']}</p>;
  return (
    <div ref={list} className={styles.list}>
      <ul style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
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
