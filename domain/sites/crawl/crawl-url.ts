import { createHash } from 'node:crypto';
import { parseUrl } from '../../lib/parse-url.js';

const maxUrlLength = 1_000;
const maxSegments = 12;
/** `/a/b/a/b/a/b`: a page that links to itself by a relative address. */
const maxRepetitions = 2;

/** Parameters that say where a visitor comes from, and change nothing of the page. */
const tracking =
  /^(utm_.*|gclid|dclid|gbraid|wbraid|fbclid|msclkid|mc_cid|mc_eid|igshid|_ga|_gl|yclid|ref_src)$/i;

/** Endings of files that are no pages. A name that ends like a program or a text may be a page's: `/topics/node.js`. */
const otherKinds =
  /\.(jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|pdf|docx?|xlsx?|pptx?|od[tsp]|zip|gz|tgz|rar|7z|dmg|exe|apk|iso|mp[34]|m4[av]|ogg|wav|webm|mov|avi|mkv|woff2?|ttf|otf|eot|ics|vcf|csv|rss|atom|wasm)$/i;

/** An address to crawl, in the form in which it is known. */
export interface CrawlUrl {
  url: string;
  /** Name and port, as in the address. */
  host: string;
  urlHash: string;
  /** Of the address without its query. */
  pathHash: string;
  hasQuery: boolean;
}

/**
 * Reads an address of a page or a sitemap: without fragment and tracking, its parameters in one order.
 * @param base the page that links to it
 * @returns undefined for what is no address of a web page, or looks like one of endlessly many
 */
export function readCrawlUrl(
  text: string,
  base?: string,
  kind: 'page' | 'sitemap' = 'page',
): CrawlUrl | undefined {
  const url = parse(text, base);
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  const parameters = [...url.searchParams].filter(([name]) => !tracking.test(name));
  parameters.sort(([one, a], [other, b]) => (one === other ? order(a, b) : order(one, other)));
  url.search = new URLSearchParams(parameters).toString();
  if (
    url.href.length > maxUrlLength ||
    (kind === 'page' && otherKinds.test(url.pathname)) ||
    isEndless(url.pathname)
  )
    return undefined;
  const { href, host, search } = url;
  url.search = '';
  return { url: href, host, urlHash: hashOf(href), pathHash: hashOf(url.href), hasQuery: search !== '' };
}

/** Whether `http` and `https` lead to the same place is up to the host: an address is known by both. */
function hashOf(href: string): string {
  return createHash('sha256')
    .update(href.replace(/^http:/, 'https:'))
    .digest('base64url');
}

function parse(text: string, base: string | undefined): URL | undefined {
  if (text.length > 2 * maxUrlLength) return undefined;
  if (base === undefined) return parseUrl(text);
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

function isEndless(pathname: string): boolean {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > maxSegments) return true;
  const counts = new Map<string, number>();
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > maxRepetitions) return true;
    counts.set(segment, count);
  }
  return false;
}

function order(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

export const notCrawlable = 'must be the address of a page, which begins with https:// or http://';

/** Each once, in lower case. */
export function tagsOf(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.toLowerCase()))].sort();
}
