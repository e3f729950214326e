import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Ago } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import styles from './inbox.module.css';
import { memberOf } from './member-of.js';
import type { InboxChat } from './queries.js';
import { useInboxTexts } from './texts.js';

/** A chat in a list: who, since when, what was last said, and why it waits. */
export function ChatRow({ chat, isOpen }: { chat: InboxChat; isOpen: boolean }): ReactNode {
  const texts = useInboxTexts();
  const shared = useTexts();
  const { uuid, me } = useWorkspace();
  const { waitingSince, lastMessage, claim, needsResponseReason } = chat;
  const since = waitingSince ?? chat.lastMessageReceivedAt ?? chat.createdAt;
  return (
    <Link
      to="/w/$workspace/inbox/$chatId"
      params={{ workspace: uuid, chatId: String(chat.id) }}
      search={(before) => before}
      className={styles.row}
      data-chat={chat.id}
      aria-current={isOpen ? 'true' : undefined}
    >
      <span className={styles.rowHead}>
        <strong>{memberOf(chat)?.name ?? chat.title ?? texts.unknownPerson}</strong>
        <span className="quiet">
          {shared.channels[chat.channel]} · <Ago at={since} />
        </span>
      </span>
      <span className={styles.rowText} dir="auto">
        {lastMessage?.text ?? chat.title ?? chat.currentTaskName}
      </span>
      <span className={styles.rowReason}>
        {claim === undefined || new Date(claim.until) < new Date() ? null : (
          <span className="chip">{claim.memberId === me.id ? texts.claimedByYou : texts.claimed}</span>
        )}
        {needsResponseReason === undefined ? null : texts.reasons[needsResponseReason]}
      </span>
    </Link>
  );
}
