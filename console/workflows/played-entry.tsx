import type { ReactNode } from 'react';
import type { Schemas } from '../kit/api.js';
import { filled } from '../texts/texts.js';
import { useWorkflowTexts } from './texts.js';
import styles from './workflows.module.css';

/** Something that happened in a walk: a bubble if somebody said it, else a line in between. */
export function PlayedEntry({
  entry,
  locale,
}: {
  entry: Schemas['SimulationEntry'];
  locale: string;
}): ReactNode {
  const texts = useWorkflowTexts();
  const { kind, text = '', task, from = 'note', until, tool, status, outcome } = entry;
  if (kind === 'message') {
    const speaker = texts.speakers[from as keyof typeof texts.speakers] ?? from;
    return (
      <p className={styles.bubble} data-from={from} dir="auto">
        <span className="unseen">{speaker}: </span>
        {text}
      </p>
    );
  }
  if (kind === 'entered') {
    return <p className={styles.happening}>{filled(texts.entered, { name: task ?? '' })}</p>;
  }
  const words = texts.happenings[kind];
  if (words === undefined) return null;
  const moment = until === undefined ? '' : new Date(until).toLocaleString(locale);
  const ending = texts.endings[(status ?? 'active') as keyof typeof texts.endings] ?? status;
  const shown = filled(words, { until: moment, tool: tool ?? '', text, status: ending ?? '' });
  return (
    <p className={styles.happening}>
      {shown}
      {outcome === undefined ? null : `, ${texts.outcome}: ${outcome}`}
    </p>
  );
}
