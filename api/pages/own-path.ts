const home = '/settings';
const longest = 4_096;

/** A path of this service to go on to; any other text leads to the settings, so that nobody is sent to another site. */
export function ownPath(text: string | undefined, ownOrigin: string): string {
  if (text === undefined || text.length > longest || !text.startsWith('/')) return home;
  try {
    const url = new URL(text, ownOrigin);
    // A browser reads `//host` and `/\host` as another site: the parsed address shows what it would do.
    return url.origin === ownOrigin ? `${url.pathname}${url.search}` : home;
  } catch {
    return home;
  }
}
