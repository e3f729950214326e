import type { ReactNode } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import type { Chat } from './chat-feed.js';
import styles from './inbox.module.css';
import { submitsText } from './submits-text.js';
import { useInboxTexts } from './texts.js';
import { useNote } from './use-note.js';

/** Where a colleague writes what the member does not see. It has nothing in common with the field for answers. */
export function NoteForm({ chat }: { chat: Chat }): ReactNode {
  const texts = useInboxTexts();
  const { text, isLeaving, error, change, leave } = useNote(chat.id);
  return (
    <form
      className={styles.composer}
      data-kind="note"
      onSubmit={(event) => {
        event.preventDefault();
        leave();
      }}
    >
      <textarea
        aria-label={texts.yourNote}
        placeholder={texts.yourNote}
        rows={3}
        maxLength={2_000}
        dir="auto"
        readOnly={isLeaving}
        value={text}
        onChange={({ target }) => change(target.value)}
        onKeyDown={(event) => {
          if (!submitsText(event)) return;
          event.preventDefault();
          leave();
        }}
      />
      <div className="acts">
        <button type="submit" className="primary" disabled={isLeaving || text.trim() === ''}>
          {texts.leaveNote}
        </button>
        <span className="quiet">{texts.whoSeesNotes}</span>
      </div>
      <ErrorNotice error={error} />
    </form>
  );
}
