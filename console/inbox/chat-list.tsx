import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { usePagedRows } from '../kit/paged-rows.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import { ChatRow } from './chat-row.js';
import styles from './inbox.module.css';
import { inboxPage, pageSize } from './queries.js';
import { useInboxTexts } from './texts.js';

const rowHeight = 88;

/** A list of chats of any length: it reads and shows the rows that are in view. */
export function ChatList({ openId }: { openId: number | undefined }): ReactNode {
  const texts = useInboxTexts();
  const shared = useTexts();
  const { uuid } = useWorkspace();
  const search = useSearch({ from: '/w/$workspace/inbox' });
  const list = useRef<HTMLDivElement>(null);
  const { total, height, rows, error } = usePagedRows({
    scroll: list,
    rowHeight,
    pageSize,
    page: (number) => inboxPage(uuid, search, number),
  });
  if (total === undefined)
    return error === null ? <p role="status">{shared.loading}</p> : <ErrorNotice error={error} />;
  if (total === 0) return <p className={styles.empty}>{texts.emptyViews[search.view ?? 'waiting']}</p>;
  return (
    <div ref={list} className={styles.list}>
      <ul style={{ height }}>
        {rows.map(({ index, start, item: chat }) => (
          <li
            key={chat?.id ?? `row ${index}`}
            style={{ transform: `translateY(${start}px)`, height: rowHeight }}
          >
            {chat === undefined ? null : <ChatRow chat={chat} isOpen={chat.id === openId} />}
          </li>
        ))}
      </ul>
    </div>
  );
}
