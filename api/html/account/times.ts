import { type Html, html } from '../../http/html.js';
import type { Language } from './texts/language.js';

const ofDay = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const ofTime = { ...ofDay, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;

/** A time as people read it, by their own clock, and as programs read it. */
export function time(at: Date | null, language: Language, absent = language.texts.never): Html {
  return written(at, language, ofTime, absent);
}

export function day(at: Date | null, language: Language, absent = ''): Html {
  return written(at, language, ofDay, absent);
}

function written(
  at: Date | null,
  { locale, timezone }: Language,
  form: Intl.DateTimeFormatOptions,
  absent: string,
): Html {
  if (at === null) return html`${absent}`;
  const text = new Intl.DateTimeFormat(locale, { ...form, timeZone: timezone }).format(at);
  return html`<time datetime="${at.toISOString()}">${text}</time>`;
}
