import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { download } from '../kit/download.js';
import { Section } from '../kit/page.js';
import { Read } from '../kit/read.js';
import { csvOf, type Table } from './csv.js';
import styles from './figures.module.css';
import { useFigureTexts } from './texts.js';

interface Props<T> {
  title: string;
  /** What the figure can be restricted by. */
  acts?: ReactNode;
  query: Pick<UseQueryResult<T>, 'data' | 'error'>;
  /** Whether there is something to show. */
  has(data: T): boolean;
  /** The numbers behind the plot. */
  table(data: T): Table;
  children(data: T): ReactNode;
}

/** A plot with its title, and the table behind it, which can be taken along. */
export function Figure<T>({ title, acts, query, has, table, children }: Props<T>): ReactNode {
  const texts = useFigureTexts();
  return (
    <Section title={title} acts={acts}>
      <Read query={query}>
        {(data) =>
          has(data) ? (
            <>
              {children(data)}
              <Numbers title={title} table={table(data)} />
            </>
          ) : (
            <p className="quiet">{texts.nothing}</p>
          )
        }
      </Read>
    </Section>
  );
}

function Numbers({ title, table }: { title: string; table: Table }): ReactNode {
  const texts = useFigureTexts();
  const { head, rows } = table;
  return (
    <details>
      <summary>{texts.table}</summary>
      <p>
        <button type="button" onClick={() => download(csvOf(table), `${title}.csv`, 'text/csv')}>
          {texts.csv}
        </button>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
      <section className={styles.numbers} tabIndex={0} aria-label={`${title}: ${texts.table}`}>
        <table className="list">
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.join('|')}>
                {row.map((cell, at) => (
                  <td key={head[at]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
