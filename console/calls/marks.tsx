import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schemas } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { wordsOf } from '../kit/words-of.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import styles from './calls.module.css';
import { Moment } from './moment.js';
import { type Call, marksOf } from './queries.js';
import type { CallTexts } from './texts/en.js';
import { useCallTexts } from './texts.js';

type Mark = Schemas['CallMark'];

interface Props {
  call: Call;
  /** Absent where nothing was recorded. */
  playFrom: ((ms: number) => void) | undefined;
}

/** What happened beside what was said: as marks below the player, and as a list. */
export function Marks({ call, playFrom }: Props): ReactNode {
  const texts = useCallTexts();
  const { uuid } = useWorkspace();
  const { data, error } = useQuery(marksOf(uuid, call.id));
  const { recordedMs = null, items = [] } = data ?? {};
  const placed = items.flatMap(({ offsetMs, ...mark }) => (offsetMs === null ? [] : [{ ...mark, offsetMs }]));
  if (items.length === 0) return <ErrorNotice error={error} />;
  return (
    <div className={styles.marks}>
      <ErrorNotice error={error} />
      {playFrom === undefined || recordedMs === null || placed.length === 0 ? null : (
        // The list below has the same for the keyboard.
        <div className={styles.strip} aria-hidden="true">
          {placed.map((mark) => (
            <button
              key={keyOf(mark)}
              type="button"
              tabIndex={-1}
              title={wordsOfMark(mark, texts)}
              data-kind={mark.kind}
              style={{ insetInlineStart: `${(mark.offsetMs / recordedMs) * 100}%` }}
              onClick={() => playFrom(mark.offsetMs)}
            />
          ))}
        </div>
      )}
      <ul aria-label={texts.marks}>
        {items.map((mark) => (
          <li key={keyOf(mark)} data-kind={mark.kind}>
            {mark.offsetMs === null ? null : <Moment ms={mark.offsetMs} playFrom={playFrom} />}{' '}
            <span dir="auto">{wordsOfMark(mark, texts)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const keyOf = ({ kind, offsetMs, messageUuid }: Mark) => `${kind} ${offsetMs} ${messageUuid}`;

function wordsOfMark({ kind, consent, targetName, transferState }: Mark, texts: CallTexts): string {
  if (kind === 'interruption') return texts.interrupted;
  if (kind === 'consent') return `${texts.consent}: ${consent === undefined ? '' : texts.consents[consent]}`;
  const state = transferState === undefined ? '' : texts.transferStates[transferState];
  return filled(texts.transferTo, { name: wordsOf(targetName ?? ''), state });
}
