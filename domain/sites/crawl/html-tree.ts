import { Parser } from 'htmlparser2';
import { eventLoopTurn } from '../../lib/event-loop-turn.js';
import { crawlLimits } from './limits.js';

export interface HtmlElement {
  tag: string;
  attributes: Readonly<Record<string, string>>;
  children: HtmlNode[];
}

export type HtmlNode = HtmlElement | string;

/** What a page says of itself, and its contents. */
export interface HtmlPage {
  title: string | undefined;
  description: string | undefined;
  language: string | undefined;
  /** Addresses as they are written. */
  canonical: string | undefined;
  base: string | undefined;
  links: string[];
  /** The contents without what belongs to the whole site. */
  contents: HtmlElement;
  /** Whether the page was too large to be read to its end. */
  isCut: boolean;
}

const chunkLength = 65_536;
/** Beyond, a page is read no further: parsers take quadratic time for levels. */
const maxLevels = 256;
/** Elements of deeper levels are read as if they were in the one that is at this level. */
const maxLevelsKept = 64;
const maxNodes = 50_000;
const maxValueLength = 2_000;

const unread = new Set([
  ...['script', 'style', 'template', 'svg', 'math', 'iframe', 'object', 'embed', 'applet', 'canvas'],
  ...[
    'audio',
    'video',
    'map',
    'button',
    'input',
    'select',
    'textarea',
    'option',
    'dialog',
    'frameset',
    'head',
  ],
]);
/** What is around the contents of all pages of a site. */
const surroundings = new Set(['nav', 'aside']);
const surroundingsOfPage = new Set(['header', 'footer']);
const surroundingRoles = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'complementary',
  'search',
  'dialog',
]);

/**
 * Reads a page as a tree, in parts between which other work is done.
 * @param excludedTags names of elements whose contents are not read; links in them are followed
 */
export async function readHtml(html: string, excludedTags: readonly string[]): Promise<HtmlPage> {
  const reader = new TreeReader(new Set(excludedTags));
  const parser = new Parser(reader, {
    decodeEntities: true,
    lowerCaseTags: true,
    lowerCaseAttributeNames: true,
  });
  for (let at = 0; at < html.length && !reader.isCut; at += chunkLength) {
    parser.write(html.slice(at, at + chunkLength));
    await eventLoopTurn();
  }
  if (!reader.isCut) parser.end();
  return reader.page();
}

interface Opened {
  tag: string;
  /** Where children go; null: nowhere. */
  into: HtmlElement | null;
  /** Whether its contents are not read, with all below it. */
  isUnread: boolean;
  isInArticle: boolean;
}

class TreeReader {
  isCut = false;
  readonly #excluded: ReadonlySet<string>;
  readonly #root: HtmlElement = { tag: 'body', attributes: {}, children: [] };
  readonly #stack: Opened[] = [];
  readonly #links = new Set<string>();
  #main: HtmlElement | undefined;
  #nodes = 0;
  #title: string | undefined;
  #isInTitle = false;
  #meta: Record<string, string> = {};
  #canonical: string | undefined;
  #base: string | undefined;
  #language: string | undefined;

  constructor(excluded: ReadonlySet<string>) {
    this.#excluded = excluded;
  }

  onopentag(tag: string, attributes: Record<string, string>): void {
    if (this.isCut) return;
    this.#nodes += 1;
    if (this.#nodes > maxNodes || this.#stack.length >= maxLevels) {
      this.isCut = true;
      return;
    }
    this.#note(tag, attributes);
    const around = this.#stack.at(-1);
    const parent = around === undefined ? this.#root : around.into;
    const isInArticle = around?.isInArticle === true || tag === 'main' || tag === 'article';
    const isUnread = around?.isUnread === true || (unread.has(tag) && tag !== 'head');
    const isLeftOut = isUnread || this.#excluded.has(tag) || isSurrounding(tag, attributes, isInArticle);
    const isTransparent = tag === 'html' || tag === 'body' || tag === 'head';
    let into = isLeftOut || tag === 'head' ? null : parent;
    if (into !== null && !isTransparent && this.#stack.length < maxLevelsKept) {
      const element: HtmlElement = { tag, attributes, children: [] };
      into.children.push(element);
      into = element;
      if (this.#main === undefined && (tag === 'main' || attributes.role === 'main')) this.#main = element;
    }
    this.#stack.push({ tag, into, isUnread, isInArticle });
  }

  ontext(text: string): void {
    if (this.isCut) return;
    if (this.#isInTitle) {
      this.#title = `${this.#title ?? ''}${text}`.slice(0, maxValueLength);
      return;
    }
    const around = this.#stack.at(-1);
    const into = around === undefined ? this.#root : around.into;
    if (into === null || text === '') return;
    const last = into.children.at(-1);
    if (typeof last === 'string') into.children[into.children.length - 1] = last + text;
    else into.children.push(text);
  }

  onclosetag(tag: string): void {
    if (tag === 'title') this.#isInTitle = false;
    if (!this.isCut) this.#stack.pop();
  }

  page(): HtmlPage {
    const meta = (...names: string[]) =>
      names.map((name) => this.#meta[name]).find((value) => value !== undefined);
    return {
      title: this.#title ?? meta('og:title'),
      description: meta('description', 'og:description'),
      language: this.#language,
      canonical: this.#canonical,
      base: this.#base,
      links: [...this.#links],
      contents: this.#main ?? this.#root,
      isCut: this.isCut,
    };
  }

  #note(tag: string, attributes: Record<string, string>): void {
    const isShown = this.#stack.at(-1)?.isUnread !== true;
    const { href } = attributes;
    const rel = (attributes.rel ?? '').toLowerCase().split(/\s+/);
    if (tag === 'title' && isShown && this.#title === undefined) this.#isInTitle = true;
    else if (tag === 'html') this.#language ??= attributes.lang;
    else if (tag === 'base') this.#base ??= href;
    else if (tag === 'link' && rel.includes('canonical')) this.#canonical ??= href;
    else if (tag === 'meta') {
      const name = (attributes.name ?? attributes.property ?? '').toLowerCase();
      const { content } = attributes;
      if (content !== undefined && ['description', 'og:description', 'og:title'].includes(name)) {
        this.#meta[name] ??= content.slice(0, maxValueLength);
      }
    } else if ((tag === 'a' || tag === 'area') && href !== undefined && !rel.includes('nofollow')) {
      if (this.#links.size < crawlLimits.linksOfPage && href.length <= maxValueLength) this.#links.add(href);
    }
  }
}

function isSurrounding(tag: string, attributes: Record<string, string>, isInArticle: boolean): boolean {
  if (surroundings.has(tag) || (surroundingsOfPage.has(tag) && !isInArticle)) return true;
  if (surroundingRoles.has(attributes.role ?? '')) return true;
  if (/(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes.style ?? '')) return true;
  return attributes.hidden !== undefined || attributes['aria-hidden'] === 'true';
}
