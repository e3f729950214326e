import type { ReactNode } from 'react';
import { At } from '../kit/times.js';
import { wordsOf } from '../kit/words-of.js';
import { filled } from '../texts/texts.js';
import type { Assignment } from './queries.js';
import type { RunTexts } from './texts/en.js';
import { useRunTexts } from './texts.js';

/** What an assignment waits for, in a few words. */
export function WaitsFor({ assignment: { status, waits, outcome } }: { assignment: Assignment }): ReactNode {
  const texts = useRunTexts();
  if (status !== 'active') return <span className="quiet">{outcome}</span>;
  if (waits === undefined) return null;
  const { taskType, standingReason, archived, paused, until } = waits;
  if (archived) return texts.waits.archived;
  if (paused) return texts.waits.paused;
  if (standingReason !== undefined) {
    const why = wordsOf(standingReason, texts.stands);
    return <span className="error">{filled(texts.standsBecause, { why })}</span>;
  }
  return (
    <>
      {texts.waits[taskType as keyof RunTexts['waits']] ?? taskType}
      {until === undefined ? null : (
        <>
          , <At at={until} withDay />
        </>
      )}
    </>
  );
}
