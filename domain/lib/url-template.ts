import { parseUrl } from './parse-url.js';

/** A URL whose `{name}` in the path or the query stands for an argument. */
export interface UrlTemplate {
  /** With its port, unless that is 443. */
  host: string;
  path: string;
  /** With its question mark; empty if there is none. */
  query: string;
  names: string[];
}

const form = /^https:\/\/([^/?#{}@\\\s]+)(\/[^?#\\\s]*)?(\?[^#\\\s]*)?$/;
const placeholder = /\{([A-Za-z][A-Za-z0-9_]*)\}/g;

/** Reads a template. @returns a message for its author, if it is none */
export function readUrlTemplate(text: string): UrlTemplate | string {
  const [, host = '', path = '/', query = ''] = form.exec(text) ?? [];
  if (host === '' || !isPrintable(text)) {
    return 'must be an address such as https://api.example.com/v1/times/{day}, whose host has no {name}';
  }
  const rest = `${path}${query}`;
  if (/[{}]/.test(rest.replace(placeholder, ''))) return 'has braces that are no {name} of an argument';
  const sample = rest.replace(placeholder, 'x');
  const url = parseUrl(`https://${host}${sample}`);
  if (url === undefined || url.host !== host.toLowerCase())
    return 'has a host that is not valid as it stands';
  if (`${url.pathname}${url.search}` !== sample) return 'has a path or query that is not encoded';
  const names = [...rest.matchAll(placeholder)].map(([, name = '']) => name);
  return { host: url.host, path, query, names: [...new Set(names)] };
}

/**
 * Puts values in their places, encoded, so that none changes the host, leaves its segment of the path or adds a parameter.
 * @returns the name of a value that the path cannot carry, as `refused`
 */
export function fillUrlTemplate(
  { host, path, query }: UrlTemplate,
  values: Readonly<Record<string, unknown>>,
): { url: string } | { refused: string } {
  let refused: string | undefined;
  const fill = (text: string, fits: (value: string) => boolean) =>
    text.replace(placeholder, (_, name: string) => {
      const value = String(values[name] ?? '');
      if (!fits(value)) refused ??= name;
      return isWhole(value) ? encodeURIComponent(value) : '';
    });
  const filled = `${fill(path, fitsPath)}${fill(query, isSound)}`;
  if (refused !== undefined) return { refused };
  const url = new URL(`https://${host}${filled}`);
  // Segments such as `{a}{b}` may come to `..` together.
  if (!filled.startsWith(url.pathname) || url.host !== host) return { refused: firstNameIn(path) };
  return { url: url.href };
}

/** Some servers decode a path before they split it. */
function fitsPath(value: string): boolean {
  return value !== '' && value !== '.' && value !== '..' && !/[/\\]/.test(value) && isSound(value);
}

function isSound(value: string): boolean {
  return isWhole(value) && !/\p{Cc}/u.test(value);
}

/** Whether a text has no half of a surrogate pair, which no encoding carries. */
export function isWhole(text: string): boolean {
  return !/\p{Cs}/u.test(text);
}

function isPrintable(text: string): boolean {
  return /^[!-~]+$/.test(text);
}

function firstNameIn(path: string): string {
  return [...path.matchAll(placeholder)][0]?.[1] ?? '';
}
