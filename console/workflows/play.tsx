import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { useLocale, useTexts } from '../texts/texts.js';
import { AgentsTurn } from './agents-turn.js';
import { PlayedEntry } from './played-entry.js';
import type { Task } from './task-document.js';
import { useWorkflowTexts } from './texts.js';
import type { Player } from './use-player.js';
import styles from './workflows.module.css';

interface Props {
  player: Player;
  root: Task;
  /** Whether what is played is what is in the form. */
  isSaved: boolean;
  isPlayable: boolean;
}

/** The draft as a phone: one writes what the member writes, and sees what the member sees. */
export function Play({ player, root, isSaved, isPlayable }: Props): ReactNode {
  const texts = useWorkflowTexts();
  const { loading } = useTexts();
  const locale = useLocale();
  const screen = useRef<HTMLDivElement>(null);
  const { walk, isPending, error } = player;
  const [text, write] = useState('');
  const count = walk?.entries.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is at the end.
  useEffect(() => {
    screen.current?.scrollTo({ top: screen.current.scrollHeight });
  }, [count]);
  const isActive = walk?.status === 'active';
  const waitsFor = walk?.waitsFor;
  const isAgentsTurn = waitsFor?.what === 'waits for an answer of the agent';
  const suggestions = walk?.entries.at(-1)?.suggestions ?? [];
  return (
    <section className={styles.play} aria-label={texts.phone}>
      <p className="quiet">{isPlayable ? texts.playHint : texts.notPlayable}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
      <div ref={screen} className={styles.screen} role="log" aria-label={texts.phone} tabIndex={0}>
        {walk?.entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what happened keeps its place.
          <PlayedEntry key={index} entry={entry} locale={locale} />
        ))}
        {isPending ? <p className="quiet">{loading}</p> : null}
      </div>
      {error === null ? null : (
        <>
          {player.fits ? null : <p className="error">{texts.noPlace}</p>}
          <ErrorNotice error={error} />
        </>
      )}
      {player.isOfBefore ? <p className="quiet">{texts.ofBefore}</p> : null}
      {isSaved ? null : <p className="quiet">{texts.saveFirst}</p>}
      {isActive && isAgentsTurn ? <AgentsTurn player={player} root={root} /> : null}
      {isActive ? (
        <form
          className={styles.write}
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() === '') return;
            player.take({ member: text.trim() }, () => write(''));
          }}
        >
          <input
            dir="auto"
            aria-label={texts.yourMessage}
            placeholder={texts.yourMessage}
            value={text}
            onChange={({ target }) => write(target.value)}
          />
          <button type="submit" className="primary" disabled={isPending}>
            {texts.send}
          </button>
        </form>
      ) : null}
      <div className="acts">
        {suggestions.map((one) => (
          <button key={one} type="button" disabled={isPending} onClick={() => player.take({ member: one })}>
            {one}
          </button>
        ))}
        {isActive && waitsFor?.until !== undefined ? (
          <button type="button" disabled={isPending} onClick={() => player.take({ clock: 'next' })}>
            {texts.passTime}
          </button>
        ) : null}
        {isActive && waitsFor?.what === 'waits for a person' ? (
          <button type="button" disabled={isPending} onClick={() => player.take({ resume: true })}>
            {texts.giveBack}
          </button>
        ) : null}
        {isPlayable ? (
          <button type="button" disabled={isPending} onClick={player.restart}>
            {texts.restart}
          </button>
        ) : null}
      </div>
    </section>
  );
}
