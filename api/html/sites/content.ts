import { escapeHtml } from '../../http/html.js';
import type { SiteLinks } from './site-paths.js';

/** A tag in stored HTML: text and values of attributes have neither `<` nor `>` (domain/sites/documents/sanitize.ts). */
const linkingTag = /<(?:a|img|amp-img)\b[^>]*>/g;
const ownAddress = / (href|src)="(\/[^"]*)"/;
const tableFrame = /<div class="table">/g;

/** Makes paths that editors have written lead to where the page is read, and tables reachable by keyboard. */
export function placeContent(
  body: string,
  { links, locale, tableName }: { links: SiteLinks; locale: string; tableName: string },
): string {
  return body
    .replace(linkingTag, (tag) =>
      tag.replace(ownAddress, (_, name: string, path: string) => {
        const placed = name === 'src' ? links.writtenFile(path) : links.written(path, locale);
        return ` ${name}="${placed}"`;
      }),
    )
    .replace(
      tableFrame,
      () => `<div class="table" role="region" aria-label="${escapeHtml(tableName)}" tabindex="0">`,
    );
}

/** The first picture of a page that other sites can show. */
export function pictureIn(body: string): string | undefined {
  return /<img\b[^>]* src="(https:[^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
}
