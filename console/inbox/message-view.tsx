import type { ReactNode } from 'react';
import { At } from '../kit/times.js';
import { wordsOf } from '../kit/words-of.js';
import { useWorkspace } from '../kit/workspace.js';
import type { Message } from './chat-feed.js';
import styles from './inbox.module.css';
import { textOf } from './message-text.js';
import { useInboxTexts } from './texts.js';

/** A message, with what became of it. Its text is shown as it was written, never as markup. */
export function MessageView({ message, name }: { message: Message; name: string }): ReactNode {
  const texts = useInboxTexts();
  const { role, author, created_at: at } = message;
  const side = role === 'system' ? noteOf(author) : role === 'user' ? 'member' : 'us';
  const isMachine = author === 'agent' || author === 'workflow';
  return (
    <article className={styles.message} data-side={side}>
      <p className={styles.author}>
        <strong>{name}</strong>
        {side === 'note' ? <span className="chip">{texts.note}</span> : null}
        {isMachine ? <span className="chip">{texts.automatic}</span> : null} <At at={at} />
      </p>
      <p className={styles.text} dir="auto">
        {textOf(message)}
      </p>
      <Files message={message} />
      <Delivery message={message} />
    </article>
  );
}

/** What a colleague notes is for people; what the service notes, the thread only mentions. */
const noteOf = (author: Message['author']) => (author === 'person' ? 'note' : 'event');

function Files({ message: { files } }: { message: Message }): ReactNode {
  const texts = useInboxTexts();
  const { uuid } = useWorkspace();
  if (files === undefined || files.length === 0) return null;
  return (
    <ul className={styles.files}>
      {files.map(({ id, filename, status }, index) => (
        <li key={id ?? index}>
          {id === undefined ? (
            <span className={status === 'failed' ? 'error' : 'quiet'}>{texts.fileStates[status]}</span>
          ) : (
            <a href={`/api/v2/w/${uuid}/files/${id}/download`}>{filename}</a>
          )}
        </li>
      ))}
    </ul>
  );
}

function Delivery({ message }: { message: Message }): ReactNode {
  const texts = useInboxTexts();
  const { smsDeliveryStatus: status, smsDeliveryFailureReason: reason } = message;
  if (status === undefined) return null;
  if (status !== 'failed') return <p className={styles.delivery}>{texts.deliveryStates[status]}</p>;
  return (
    <p className={`${styles.delivery} error`}>
      {texts.deliveryStates.failed}
      {reason === undefined ? '' : `: ${wordsOf(reason, texts.failures)}`}
    </p>
  );
}
