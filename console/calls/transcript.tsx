import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { Message } from '../inbox/chat-feed.js';
import { textOf } from '../inbox/message-text.js';
import { useChat } from '../inbox/use-chat.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import styles from './calls.module.css';
import { Marks } from './marks.js';
import { Moment } from './moment.js';
import { type Call, isLive } from './queries.js';
import { useCallTexts } from './texts.js';

interface Props {
  call: Call;
  chatId: number;
  player: RefObject<HTMLAudioElement | null>;
  playFrom(ms: number): void;
}

/** What is said in a call, as it is said, with its recording. */
export function Transcript({ call, chatId, player, playFrom }: Props): ReactNode {
  const shared = useTexts();
  const texts = useCallTexts();
  const { uuid } = useWorkspace();
  const open = useChat(chatId);
  const { messages, hasEarlier, readEarlier, draft, error } = open;
  const oldest = messages[0]?.created_at;
  // A chat may have had calls since.
  const asked = useRef<string>(undefined);
  useEffect(() => {
    if (!hasEarlier || oldest === undefined || oldest < call.createdAt || asked.current === oldest) return;
    asked.current = oldest;
    readEarlier().catch(() => undefined);
  });
  if (error !== undefined) return <ErrorNotice error={error} />;
  if (open.chat === undefined) return <p role="status">{shared.loading}</p>;
  const said = messages.filter((message) => isOf(message, call));
  const isRecorded = said.some(({ audioFileUuid }) => audioFileUuid !== undefined);
  return (
    <>
      {isRecorded ? (
        // biome-ignore lint/a11y/useMediaCaption: the transcript is below it.
        <audio
          ref={player}
          className={styles.player}
          controls
          preload="none"
          aria-label={texts.recording}
          src={`/api/v2/w/${uuid}/recordings/chat/${chatId}/audio.wav?phoneCallId=${call.id}`}
        />
      ) : (
        <p className="quiet">{isLive(call) ? null : texts.noRecording}</p>
      )}
      <Marks call={call} playFrom={isRecorded ? playFrom : undefined} />
      <div role="log" aria-label={texts.transcript} className={styles.transcript}>
        {said.length === 0 ? (
          <p className="quiet">{isLive(call) ? texts.nothingSaid : texts.nothingKept}</p>
        ) : null}
        {said.map((message) => (
          <Line
            key={message.id}
            message={message}
            playFrom={message.audioFileUuid === undefined ? undefined : playFrom}
          />
        ))}
        {isLive(call) && draft !== undefined ? (
          <p data-side="us" dir="auto">
            {draft.text} …
          </p>
        ) : null}
      </div>
    </>
  );
}

/** Whether it was said in this call. */
function isOf({ audioMetadata, content, tool_call_id: answered }: Message, { id }: Call): boolean {
  return audioMetadata?.phoneCallId === id && content !== null && answered === undefined;
}

interface LineProps {
  message: Message;
  /** Absent where nothing was recorded. */
  playFrom: ((ms: number) => void) | undefined;
}

function Line({ message, playFrom }: LineProps): ReactNode {
  const texts = useCallTexts();
  const { role, audioMetadata, truncatedAtMs, truncationReason } = message;
  const startMs = audioMetadata?.startMs ?? 0;
  const speaker = { user: texts.memberSpeaks, assistant: texts.agent, system: texts.note }[role];
  return (
    <article data-side={role === 'user' ? 'member' : 'us'}>
      <p className={styles.speaker}>
        <strong>{speaker}</strong> <Moment ms={startMs} playFrom={playFrom} />{' '}
        {truncationReason === undefined ? null : (
          <span className="chip">
            {texts.interrupted}{' '}
            {truncatedAtMs === undefined ? null : <Moment ms={startMs + truncatedAtMs} playFrom={playFrom} />}
          </span>
        )}
      </p>
      <p dir="auto">{textOf(message)}</p>
    </article>
  );
}
