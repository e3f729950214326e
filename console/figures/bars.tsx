import type { ReactNode } from 'react';
import { useLocale } from '../texts/texts.js';
import styles from './figures.module.css';

export interface Bar {
  id: string;
  /** What is counted, as a link to it if there is a list. */
  name: ReactNode;
  value: number;
}

/** Values beside each other, the length of each bar in proportion to the greatest. */
export function Bars({ bars }: { bars: readonly Bar[] }): ReactNode {
  const locale = useLocale();
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  return (
    <ul className={styles.bars}>
      {bars.map(({ id, name, value }) => (
        <li key={id}>
          <span>{name}</span>
          <svg aria-hidden="true" height="14" width="100%">
            <rect data-series="0" height="14" width={`${(value / most) * 100}%`} />
          </svg>
          <strong>{value.toLocaleString(locale, { maximumFractionDigits: 2 })}</strong>
        </li>
      ))}
    </ul>
  );
}

/** What the colours of a plot are of, with the sum of each. */
export function Legend({ bars }: { bars: readonly Bar[] }): ReactNode {
  const locale = useLocale();
  return (
    <ul className={styles.legend}>
      {bars.map(({ id, name, value }, index) => (
        <li key={id}>
          <svg aria-hidden="true" width="12" height="12">
            <rect data-series={index} width="12" height="12" />
          </svg>
          {name} <strong>{value.toLocaleString(locale, { maximumFractionDigits: 2 })}</strong>
        </li>
      ))}
    </ul>
  );
}
