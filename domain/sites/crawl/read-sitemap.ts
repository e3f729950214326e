import { SaxesParser } from 'saxes';
import { eventLoopTurn } from '../../lib/event-loop-turn.js';

export interface Sitemap {
  kind: 'pages' | 'sitemaps';
  /** Addresses, as they are written. */
  urls: string[];
}

const chunkLength = 65_536;
const longestText = 2_000;

/**
 * Reads a sitemap, or an index of sitemaps (https://www.sitemaps.org/protocol.html), up to the place where it is no XML.
 * @param most addresses
 * @returns undefined for anything else
 */
export async function readSitemap(xml: string, most: number): Promise<Sitemap | undefined> {
  const parser = new SaxesParser({ xmlns: false });
  const urls: string[] = [];
  const path: string[] = [];
  let kind: Sitemap['kind'] | undefined;
  let text: string | undefined;
  let isOver = false;
  // Entities of a document type could expand to anything.
  parser.on('doctype', () => {
    isOver = true;
  });
  parser.on('error', () => {
    isOver = true;
  });
  parser.on('opentag', ({ name }) => {
    if (isOver) return;
    const local = name.replace(/^.*:/, '');
    path.push(local);
    if (path.length === 1) {
      if (local === 'urlset') kind = 'pages';
      else if (local === 'sitemapindex') kind = 'sitemaps';
      else isOver = true;
    }
    const parent = kind === 'pages' ? 'url' : 'sitemap';
    text = local === 'loc' && path.length === 3 && path[1] === parent ? '' : undefined;
  });
  const addText = (part: string) => {
    if (text !== undefined && text.length < longestText) text += part.slice(0, longestText);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    if (isOver) return;
    path.pop();
    const url = text?.trim();
    if (url !== undefined && url !== '' && urls.length < most) urls.push(url);
    text = undefined;
  });
  for (let at = 0; at < xml.length && !isOver && urls.length < most; at += chunkLength) {
    parser.write(xml.slice(at, at + chunkLength));
    await eventLoopTurn();
  }
  return kind === undefined ? undefined : { kind, urls };
}
