import type { CSSProperties, ReactNode } from 'react';
import { useLocale } from '../texts/texts.js';
import type { Entry } from './queries.js';
import styles from './runs.module.css';
import { durationText, type Span, staysOf } from './stays.js';
import { useRunTexts } from './texts.js';

/** More stays than this, as of a loop, are not drawn: the latest are. */
const mostStays = 60;

/** How long the assignment was in each task: a bar for each stay, over the time of all that is drawn. */
export function Bars({ entries }: { entries: readonly Entry[] }): ReactNode {
  const texts = useRunTexts();
  const locale = useLocale();
  const now = Date.now();
  const stays = staysOf(entries, now).slice(-mostStays);
  const from = stays[0]?.from ?? now;
  const whole = Math.max(1, (stays.at(-1)?.to ?? now) - from);
  if (stays.length === 0) return null;
  const place = (span: Span): CSSProperties => ({
    insetInlineStart: `${((span.from - from) / whole) * 100}%`,
    inlineSize: `${((span.to - span.from) / whole) * 100}%`,
  });
  const has = (part: 'waits' | 'withPerson') => stays.some((stay) => stay[part].length > 0);
  return (
    <>
      <ol className={styles.bars} aria-label={texts.timeIn}>
        {stays.map((stay) => (
          <li key={stay.id}>
            <span className={styles.barName}>{stay.task}</span>
            <span className={styles.barTime}>
              {durationText(stay.to - stay.from, locale)}
              {stay.isOver ? '' : ' …'}
            </span>
            <span aria-hidden="true" className={styles.track}>
              <span className={styles.bar} data-over={stay.isOver} style={place(stay)} />
              {stay.waits.map((span) => (
                <span key={`w${span.from}`} className={styles.wait} style={place(span)} />
              ))}
              {stay.withPerson.map((span) => (
                <span key={`p${span.from}`} className={styles.person} style={place(span)} />
              ))}
            </span>
          </li>
        ))}
      </ol>
      <p className={styles.legend}>
        {has('waits') ? (
          <span>
            <span aria-hidden="true" className={styles.wait} /> {texts.waitsBar}
          </span>
        ) : null}
        {has('withPerson') ? (
          <span>
            <span aria-hidden="true" className={styles.person} /> {texts.personBar}
          </span>
        ) : null}
      </p>
    </>
  );
}
