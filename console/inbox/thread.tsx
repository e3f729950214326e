import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { dayOf } from '../kit/times.js';
import { useLocale } from '../texts/texts.js';
import type { Chat, ChatFeed, Message } from './chat-feed.js';
import styles from './inbox.module.css';
import { MessageView } from './message-view.js';
import { useInboxTexts } from './texts.js';
import { useNames } from './use-names.js';

interface Props {
  chat: Chat;
  open: ChatFeed & { readEarlier(): Promise<void> };
}

/** What was said, in order, and what is being written. The end stays in view unless somebody has scrolled away. */
export function Thread({ chat, open }: Props): ReactNode {
  const texts = useInboxTexts();
  const locale = useLocale();
  const { messages, draft, typing, hasEarlier } = open;
  const nameOf = useNames(chat);
  const log = useEndInView();
  const shown = messages.filter(isShown);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <div ref={log} className={styles.thread} role="log" aria-label={texts.messages} tabIndex={0}>
      {hasEarlier ? (
        <button type="button" onClick={() => open.readEarlier().catch(() => undefined)}>
          {texts.earlierMessages}
        </button>
      ) : null}
      {shown.map((message, index) => {
        const day = dayOf(message.created_at, locale);
        const before = shown[index - 1];
        const isNewDay = before === undefined || dayOf(before.created_at, locale) !== day;
        return (
          <Fragment key={message.id}>
            {isNewDay ? <h3 className={styles.day}>{day}</h3> : null}
            <MessageView message={message} name={nameOf(message)} />
          </Fragment>
        );
      })}
      {draft === undefined ? null : (
        <article className={styles.message} data-side="us" data-draft>
          <p className={styles.text} dir="auto">
            {draft.text} …
          </p>
        </article>
      )}
      {draft !== undefined || typing.length === 0 ? null : (
        <p className="quiet">{typing.map((one) => `${nameOf(one)} …`).join(' ')}</p>
      )}
    </div>
  );
}

/** Calls of tools and their answers are not conversation. */
function isShown({ content, files, role, tool_call_id: toolCall }: Message): boolean {
  if (toolCall !== undefined) return false;
  const hasText = content !== null && content.length > 0;
  return hasText || files !== undefined || role === 'system';
}

/** Keeps the end of an element in view while it grows, if the end was in view before. */
function useEndInView() {
  const element = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const log = element.current;
    if (log === null) return;
    const onScroll = () => {
      isAtEnd.current = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    };
    const keep = () => {
      if (isAtEnd.current) log.scrollTop = log.scrollHeight;
    };
    log.addEventListener('scroll', onScroll, { passive: true });
    const resizes = new ResizeObserver(keep);
    resizes.observe(log);
    return () => {
      log.removeEventListener('scroll', onScroll);
      resizes.disconnect();
    };
  }, []);
  useLayoutEffect(() => {
    if (element.current !== null && isAtEnd.current) element.current.scrollTop = element.current.scrollHeight;
  });
  return element;
}
