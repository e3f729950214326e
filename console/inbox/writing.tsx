import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useWorkspace } from '../kit/workspace.js';
import type { Chat, ChatFeed } from './chat-feed.js';
import { Composer } from './composer.js';
import styles from './inbox.module.css';
import { NoteForm } from './note-form.js';
import { useInboxTexts } from './texts.js';

type Kind = 'answer' | 'note';

/** Where a colleague writes: an answer to the member, or a note that the member does not see. Each has its own field. */
export function Writing({ chat, open }: { chat: Chat; open: ChatFeed }): ReactNode {
  const texts = useInboxTexts();
  const { can } = useWorkspace();
  const box = useRef<HTMLDivElement>(null);
  const [kind, setKind] = useState<Kind>(chat.canSendAsAssistant ? 'answer' : 'note');
  if (!can('chats:write')) return <Composer chat={chat} open={open} />;
  const begin = (next: Kind) => {
    flushSync(() => setKind(next));
    box.current?.querySelector<HTMLElement>('[data-shown="true"] textarea')?.focus();
  };
  return (
    <div ref={box}>
      <fieldset className={styles.kinds}>
        <legend className="unseen">{texts.writes}</legend>
        {(['answer', 'note'] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === kind}
            data-writes={one}
            onClick={() => begin(one)}
          >
            {texts.kinds[one]}
          </button>
        ))}
      </fieldset>
      <div data-shown={kind === 'answer'} hidden={kind !== 'answer'}>
        <Composer chat={chat} open={open} />
      </div>
      <div data-shown={kind === 'note'} hidden={kind !== 'note'}>
        <NoteForm chat={chat} />
      </div>
    </div>
  );
}
