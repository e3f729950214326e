import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { useTexts } from '../texts/texts.js';
import { ChatList } from './chat-list.js';
import { ChatPane } from './chat-pane.js';
import { Filters } from './filters.js';
import styles from './inbox.module.css';
import { useKeys } from './keys.js';
import { useInboxTexts } from './texts.js';
import { Views } from './views.js';

/** Lists of chats, and beside them the one that is open. */
export function InboxPage(): ReactNode {
  const texts = useInboxTexts();
  const shared = useTexts();
  const { chatId } = useParams({ strict: false });
  useKeys();
  return (
    <div className={styles.inbox} data-open={chatId !== undefined}>
      <section className={styles.lists} aria-label={texts.chats}>
        <h1 className="unseen">{shared.inbox}</h1>
        <Views />
        <Filters />
        <ChatList openId={chatId === undefined ? undefined : Number(chatId)} />
      </section>
      {chatId === undefined ? <p className={styles.nothingOpen}>{texts.nothingOpen}</p> : <Outlet />}
    </div>
  );
}

/** The chat that the address names. */
export function OpenChat(): ReactNode {
  const { workspace, chatId } = useParams({ from: '/w/$workspace/inbox/$chatId' });
  const search = useSearch({ from: '/w/$workspace/inbox' });
  const navigate = useNavigate();
  const close = useCallback(
    () => void navigate({ to: '/w/$workspace/inbox', params: { workspace }, search }),
    [navigate, workspace, search],
  );
  return <ChatPane key={chatId} chatId={Number(chatId)} close={close} />;
}
