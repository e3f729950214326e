import { homePath as home } from './page.js';

const max = 4_096;

/** A path of this service to go on to; any other text leads to the home page, so that nobody is sent to another site. */
export function ownPath(text: string | undefined, ownOrigin: string): string {
  if (text === undefined || text.length > max || !text.startsWith('/')) return home;
  try {
    const url = new URL(text, ownOrigin);
    // A browser reads `//host` and `/\host` as another site: the parsed address shows what it would do.
    const path = `${url.pathname}${url.search}`;
    // What is left of `/.//host` is `//host`.
    return url.origin === ownOrigin && !path.startsWith('//') ? path : home;
  } catch {
    return home;
  }
}
