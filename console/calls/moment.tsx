import type { ReactNode } from 'react';
import { lengthOf } from '../kit/times.js';
import { filled } from '../texts/texts.js';
import { useCallTexts } from './texts.js';

interface Props {
  ms: number;
  /** Absent where nothing was recorded. */
  playFrom: ((ms: number) => void) | undefined;
}

/** A moment of the call, which is played from where there is a recording. */
export function Moment({ ms, playFrom }: Props): ReactNode {
  const texts = useCallTexts();
  const time = lengthOf(ms / 1_000);
  if (playFrom === undefined) return <span className="quiet">{time}</span>;
  return (
    <button
      type="button"
      className="link"
      aria-label={filled(texts.playFrom, { time })}
      onClick={() => playFrom(ms)}
    >
      {time}
    </button>
  );
}
