import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { api, hasNoAnswer } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { useOwnClock } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import { Attachments } from './attachments.js';
import type { Chat, ChatFeed } from './chat-feed.js';
import styles from './inbox.module.css';
import { submitsText } from './submits-text.js';
import { TemplatePicker } from './template-picker.js';
import { useInboxTexts } from './texts.js';
import { useAnswer } from './use-answer.js';
import { useNames } from './use-names.js';

const typingEveryMs = 5_000;

/** Where a colleague answers the member, now or later. */
export function Composer({ chat, open }: { chat: Chat; open: ChatFeed }): ReactNode {
  const texts = useInboxTexts();
  const { written, isSending, error, change, send } = useAnswer(chat, open.messages);
  const [isUploading, setIsUploading] = useState(false);
  const tellTyping = useTypingSign(chat);
  const { can } = useWorkspace();
  const field = useRef<HTMLTextAreaElement>(null);
  const [isChoosing, setIsChoosing] = useState(false);
  const [choosesTime, setChoosesTime] = useState(false);
  const clock = useOwnClock();
  const timeField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (choosesTime) timeField.current?.focus();
  }, [choosesTime]);
  const hasTime = choosesTime || written.sendAt !== undefined;
  const mayChoose = can('chats:write') && !isSending;
  const isLetter = chat.channel === 'email';
  const submit = () => {
    if (!isUploading) send();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, ctrlKey, metaKey } = event;
    if (key === '/' && !ctrlKey && !metaKey && written.text === '' && mayChoose) {
      event.preventDefault();
      setIsChoosing(true);
      return;
    }
    if (!submitsText(event) || (isLetter && !ctrlKey && !metaKey)) return;
    event.preventDefault();
    submit();
  };

  const insert = (text: string) => {
    setIsChoosing(false);
    const { current } = field;
    if (current === null) return;
    current.setRangeText(text, current.selectionStart, current.selectionEnd, 'end');
    change({ text: current.value });
    current.focus();
  };

  if (!chat.canSendAsAssistant) return <p className={styles.composer}>{texts.mayNotAnswer}</p>;
  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Others chat={chat} typing={open.typing} />
      {isChoosing ? (
        <TemplatePicker
          chatId={chat.id}
          insert={insert}
          close={() => {
            setIsChoosing(false);
            field.current?.focus();
          }}
          leave={() => setIsChoosing(false)}
        />
      ) : null}
      <textarea
        ref={field}
        data-composer
        aria-label={texts.yourAnswer}
        placeholder={texts.yourAnswer}
        rows={3}
        dir="auto"
        readOnly={isSending}
        value={written.text}
        onChange={({ target }) => {
          change({ text: target.value });
          tellTyping();
        }}
        onKeyDown={onKeyDown}
      />
      <div className="acts">
        <button
          type="submit"
          className="primary"
          disabled={isSending || isUploading || written.text.trim() === ''}
        >
          {written.sendAt === undefined ? texts.send : texts.sendLater}
        </button>
        {mayChoose ? (
          <button type="button" onClick={() => setIsChoosing(true)}>
            {texts.insertTemplate}
          </button>
        ) : null}
        <Attachments
          attachments={written.files}
          change={(files) => change({ files })}
          onUploading={setIsUploading}
        />
        {hasTime ? (
          <label className="quiet">
            {texts.sendAt}{' '}
            <input
              ref={timeField}
              type="datetime-local"
              value={written.sendAt ?? ''}
              onChange={({ target }) => change({ sendAt: target.value || undefined })}
            />
          </label>
        ) : (
          <button type="button" onClick={() => setChoosesTime(true)}>
            {texts.chooseTime}
          </button>
        )}
        <small className="quiet">{hasTime ? clock : isLetter ? texts.keysOfEmail : texts.keysOfChat}</small>
      </div>
      {error === null ? null : (
        <p className="error">{hasNoAnswer(error) ? texts.perhapsSent : texts.notSent}</p>
      )}
      <ErrorNotice error={error} />
    </form>
  );
}

/** Says that another colleague answers already. */
function Others({ chat, typing }: { chat: Chat; typing: ChatFeed['typing'] }): ReactNode {
  const texts = useInboxTexts();
  const { me } = useWorkspace();
  const nameOf = useNames(chat);
  const { claim } = chat;
  const writers = typing.filter((one) => one.role === 'assistant' && !one.isAgent && one.memberId !== me.id);
  const isClaimed = claim !== undefined && claim.memberId !== me.id && new Date(claim.until) > new Date();
  return (
    <>
      {writers.map((one) => (
        <p key={one.memberId} role="status" className={styles.warning}>
          {filled(texts.otherWrites, { name: nameOf(one) })}
        </p>
      ))}
      {isClaimed ? <p className={styles.warning}>{texts.claimedWarning}</p> : null}
    </>
  );
}

/** Returns a function that lets others see that this colleague writes. What fails here is only not told. */
function useTypingSign({ id }: Chat): () => void {
  const { uuid } = useWorkspace();
  const toldAt = useRef(0);
  return () => {
    if (Date.now() - toldAt.current < typingEveryMs) return;
    toldAt.current = Date.now();
    const path = { workspace_uuid: uuid, chat_id: id };
    void api.POST('/w/{workspace_uuid}/chats/{chat_id}/typing', { params: { path } }).catch(() => undefined);
  };
}
