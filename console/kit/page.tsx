import type { ReactNode } from 'react';
import styles from './page.module.css';

interface Props {
  title: ReactNode;
  /** What stands above the title, such as a link to the list that the page belongs to. */
  above?: ReactNode;
  /** What one can do here. */
  acts?: ReactNode;
  /** Whether the content takes the height that is left, and scrolls by itself, such as a grid. */
  fills?: boolean;
  children: ReactNode;
}

/** A page of the console: its title, what one can do, and the content. */
export function Page({ title, above, acts, fills = false, children }: Props): ReactNode {
  return (
    <div className={fills ? styles.filling : styles.page}>
      {above === undefined ? null : <p className={styles.above}>{above}</p>}
      <header className={styles.head}>
        <h1 tabIndex={-1}>{title}</h1>
        {acts === undefined ? null : <div className="acts">{acts}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a page with a heading of its own. */
export function Section({ title, acts, children }: Pick<Props, 'title' | 'acts' | 'children'>): ReactNode {
  return (
    <section className={styles.section}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {acts === undefined ? null : <div className="acts">{acts}</div>}
      </header>
      {children}
    </section>
  );
}

/** Names and values, such as those of a member. A value of undefined or null is left out. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ReactNode])[];
}): ReactNode {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** What state something is in, such as failed; the colour only repeats the word. */
export function Status({
  tone = 'quiet',
  children,
}: {
  tone?: 'quiet' | 'done' | 'warning' | 'danger';
  children: ReactNode;
}): ReactNode {
  return <span className={`chip ${styles[tone]}`}>{children}</span>;
}
