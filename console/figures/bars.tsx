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
  return <Stacks stacks={bars.map(({ value, ...bar }) => ({ ...bar, values: [value] }))} />;
}

export interface Stack {
  id: string;
  name: ReactNode;
  /** In the order of the legend. */
  values: readonly number[];
}

/** Like bars, of which each is made of the values of several series. */
export function Stacks({ stacks }: { stacks: readonly Stack[] }): ReactNode {
  const locale = useLocale();
  const totalOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const most = Math.max(...stacks.map(({ values }) => totalOf(values)), Number.MIN_VALUE);
  return (
    <ul className={styles.bars}>
      {stacks.map(({ id, name, values }) => (
        <li key={id}>
          <span>{name}</span>
          <svg aria-hidden="true" height="14" width="100%">
            {values.map((value, which) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: a series is known by its place.
                key={which}
                data-series={which}
                height="14"
                x={`${(totalOf(values.slice(0, which)) / most) * 100}%`}
                width={`${(value / most) * 100}%`}
              />
            ))}
          </svg>
          <strong>{totalOf(values).toLocaleString(locale, { maximumFractionDigits: 2 })}</strong>
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
