import { type ReactNode, useState } from 'react';
import { useTexts } from '../texts/texts.js';
import { Approval } from './approval.js';
import type { Message } from './chat-feed.js';
import { ChatHeader } from './chat-header.js';
import styles from './inbox.module.css';
import { MemberPane } from './member-pane.js';
import { useInboxTexts } from './texts.js';
import { Thread } from './thread.js';
import { useChat } from './use-chat.js';
import { Writing } from './writing.js';

/** What people and the agent said: notes and calls of tools are no messages to the member or of it. */
const isSaid = ({ role, content }: Message): boolean =>
  (role === 'user' || role === 'assistant') && content !== null;

/** A chat with what one does about it, and its member. */
export function ChatPane({ chatId, close }: { chatId: number; close: () => void }): ReactNode {
  const texts = useInboxTexts();
  const shared = useTexts();
  const [showsMember, setShowsMember] = useState(() => window.innerWidth >= 1_200);
  const open = useChat(chatId);
  const { chat, error } = open;
  if (error !== undefined) {
    return (
      <section className={styles.chat}>
        <p role="alert" className="error">
          {error.message}
        </p>
        <button type="button" onClick={close}>
          {shared.close}
        </button>
      </section>
    );
  }
  if (chat === undefined) return <p role="status">{shared.loading}</p>;
  return (
    <>
      <section className={styles.chat} aria-label={texts.chat}>
        <ChatHeader
          chat={chat}
          lastMessageId={open.messages.findLast(isSaid)?.id}
          close={close}
          toggleMember={() => setShowsMember(!showsMember)}
          showsMember={showsMember}
        />
        {open.isLive ? null : <p className="banner">{shared.notLive}</p>}
        <Thread open={open} chat={chat} />
        {chat.interrupt === undefined ? null : (
          <Approval key={chat.interrupt.id} chat={chat} interrupt={chat.interrupt} />
        )}
        <Writing chat={chat} open={open} />
      </section>
      {showsMember ? <MemberPane chat={chat} close={() => setShowsMember(false)} /> : null}
    </>
  );
}
