import { type ReactNode, useEffect, useState } from 'react';
import { filled, useLocale, useTexts } from '../texts/texts.js';

const minute = 60_000;
const units = [
  ['day', 24 * 60 * minute],
  ['hour', 60 * minute],
  ['minute', minute],
] as const;

/** The time, once a minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minute);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** How long ago a time is, such as “5 min. ago”, with the time itself for who points at it. */
export function Ago({ at }: { at: string }): ReactNode {
  const now = useNow();
  const locale = useLocale();
  const time = new Date(at);
  const difference = time.getTime() - now;
  const [unit, length] = units.find(([, ms]) => Math.abs(difference) >= ms) ?? ['minute', minute];
  const text = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' });
  return (
    <time dateTime={at} title={time.toLocaleString(locale)}>
      {text.format(Math.round(difference / length), unit)}
    </time>
  );
}

/** A time of day; with `withDay`, the day as well. */
export function At({ at, withDay = false }: { at: string; withDay?: boolean }): ReactNode {
  const locale = useLocale();
  const time = new Date(at);
  const options = withDay
    ? ({ dateStyle: 'medium', timeStyle: 'short' } as const)
    : ({ timeStyle: 'short' } as const);
  return (
    <time dateTime={at} title={time.toLocaleString(locale)}>
      {time.toLocaleString(locale, options)}
    </time>
  );
}

/** Says by which clock days and times are entered. */
export function useOwnClock(): string {
  const { ownClock } = useTexts();
  return filled(ownClock, { zone: new Intl.DateTimeFormat().resolvedOptions().timeZone });
}

/** The day of a time, in words where it is today or yesterday. */
export function dayOf(at: string, locale: string): string {
  const day = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();
  const days = Math.round((day(new Date(at)) - day(new Date())) / (24 * 60 * minute));
  if (days === 0 || days === -1) {
    return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
  }
  return new Date(at).toLocaleDateString(locale, { dateStyle: 'full' });
}

/** A length of time, as 1:05. */
export function lengthOf(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
