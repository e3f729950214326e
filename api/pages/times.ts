import { type Html, html } from '../http/html.js';

/** A time as people read it, in UTC, and as programs read it. */
export function time(at: Date | null, absent = 'never'): Html {
  if (at === null) return html`${absent}`;
  const iso = at.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}

export function day(at: Date | null, absent: string): Html {
  if (at === null) return html`${absent}`;
  return html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 10)}</time>`;
}
