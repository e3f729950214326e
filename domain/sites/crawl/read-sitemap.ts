import { Parser } from 'htmlparser2';
import { eventLoopTurn } from '../../lib/event-loop-turn.js';

export interface Sitemap {
  kind: 'pages' | 'sitemaps';
  /** Addresses, as they are written. */
  urls: string[];
  /** Set if there may be more: it is cut, damaged or too long. */
  isPartial?: true;
}

const chunkLength = 65_536;
const maxTextLength = 2_000;

/**
 * Reads a sitemap, or an index of sitemaps (https://www.sitemaps.org/protocol.html), in XML or as lines of addresses, as
 * far as it can be read: with signs that are not escaped, and up to where it is cut.
 * @param most addresses
 * @returns undefined for anything else
 */
export async function readSitemap(text: string, most: number): Promise<Sitemap | undefined> {
  const begins = text.slice(0, chunkLength).search(/[^\s\ufeff]/);
  if (begins < 0) return undefined;
  if (text[begins] !== '<') return readLines(text.slice(begins), most);
  const reader = new SitemapReader(most);
  const parser = new Parser(reader, { xmlMode: true, decodeEntities: true });
  for (let at = begins; at < text.length && !reader.isOver; at += chunkLength) {
    parser.write(text.slice(at, at + chunkLength));
    await eventLoopTurn();
  }
  if (!reader.isOver) parser.end();
  return reader.sitemap();
}

function readLines(text: string, most: number): Sitemap | undefined {
  const lines = text.split(/[\r\n]+/, 2 * most).map((line) => line.trim());
  const urls = lines.filter((line) => /^https?:\/\/\S+$/i.test(line)).slice(0, most);
  if (urls.length === 0 || urls[0] !== lines[0]) return undefined;
  const isWhole = lines.filter((line) => line !== '').length === urls.length;
  return { kind: 'pages', urls, ...(isWhole ? {} : { isPartial: true }) };
}

class SitemapReader {
  isOver = false;
  readonly #most: number;
  readonly #urls: string[] = [];
  readonly #path: string[] = [];
  #kind: Sitemap['kind'] | undefined;
  #isWhole = false;
  #text: string | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** Entities of a document type could expand to anything. */
  onprocessinginstruction(name: string, data: string): void {
    if (/^!doctype$/i.test(name) && data.includes('[')) this.isOver = true;
  }

  onopentag(name: string): void {
    if (this.isOver) return;
    const local = name.replace(/^.*:/, '');
    this.#path.push(local);
    if (this.#path.length === 1) {
      if (local === 'urlset') this.#kind = 'pages';
      else if (local === 'sitemapindex') this.#kind = 'sitemaps';
      else this.isOver = true;
    }
    const parent = this.#kind === 'pages' ? 'url' : 'sitemap';
    const isAddress = local === 'loc' && this.#path.length === 3 && this.#path[1] === parent;
    this.#text = isAddress ? '' : undefined;
  }

  ontext(part: string): void {
    if (this.#text !== undefined && this.#text.length < maxTextLength)
      this.#text += part.slice(0, maxTextLength);
  }

  /** @param isImplied the text ends or goes on without closing it, so that the address may be cut */
  onclosetag(_name: string, isImplied: boolean): void {
    if (this.isOver) return;
    this.#path.pop();
    const url = this.#text?.trim();
    if (url !== undefined && url !== '' && !isImplied) this.#urls.push(url);
    this.#text = undefined;
    this.#isWhole = this.#path.length === 0 && !isImplied;
    this.isOver = this.#isWhole || this.#urls.length >= this.#most;
  }

  sitemap(): Sitemap | undefined {
    if (this.#kind === undefined) return undefined;
    return { kind: this.#kind, urls: this.#urls, ...(this.#isWhole ? {} : { isPartial: true }) };
  }
}
