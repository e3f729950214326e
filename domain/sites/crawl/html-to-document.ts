import { problemOfLink } from '../documents/addresses.js';
import { documentLimits } from '../documents/limits.js';
import type { BlockJson, ConvertedDocument, MarkJson } from './converted-document.js';
import { fitDocument } from './fit-document.js';
import type { HtmlElement, HtmlNode } from './html-tree.js';
import { pictureAddress } from './picture-address.js';

const marksOfTags: Readonly<Record<string, string>> = {
  ...{ b: 'bold', strong: 'bold', i: 'italic', em: 'italic', cite: 'italic', dfn: 'italic' },
  ...{ s: 'strike', del: 'strike', strike: 'strike', u: 'underline', ins: 'underline', mark: 'highlight' },
  ...{ sub: 'subscript', sup: 'superscript', code: 'code', kbd: 'code', samp: 'code', tt: 'code' },
};

/** Elements that are within a line; all others begin a new one. */
const inline = new Set([
  ...[
    'span',
    'small',
    'big',
    'font',
    'abbr',
    'acronym',
    'q',
    'time',
    'data',
    'bdi',
    'bdo',
    'label',
    'wbr',
    'var',
    'a',
  ],
  ...['ruby', 'rb', 'rt', 'rp', 'output', 'nobr', ...Object.keys(marksOfTags)],
]);

/**
 * Makes a document of the contents of a page. It has only nodes, marks and addresses that pages of sites can have; links and images lead
 * to the source.
 * @param base address that relative ones begin with
 */
export function htmlToDocument(contents: HtmlElement, base: string): ConvertedDocument {
  return fitDocument(new Converter(base).blocks(contents.children, 2));
}

class Converter {
  /** Addresses of pictures. */
  readonly #shown = new Set<string>();

  constructor(private readonly base: string) {}

  /** @param level of the blocks in the document, whose own level is 1 */
  blocks(nodes: readonly HtmlNode[], level: number, marks: readonly MarkJson[] = []): BlockJson[] {
    const line = new LineBuilder();
    this.#walk(nodes, { line, level, marks });
    line.end();
    return line.blocks;
  }

  #walk(nodes: readonly HtmlNode[], at: Place): void {
    for (const node of nodes) {
      if (typeof node === 'string') at.line.text(node, at.marks);
      else this.#element(node, at);
    }
  }

  #element(element: HtmlElement, at: Place): void {
    const { tag, children, attributes } = element;
    const { line } = at;
    if (tag === 'br') line.break();
    else if (tag === 'img') this.#image(attributes, line);
    else if (tag === 'picture' || tag === 'noscript') this.#pictures(element, line);
    else if (inline.has(tag)) this.#walk(children, { ...at, marks: this.#marked(element, at.marks) });
    else this.#block(element, at);
  }

  #block(element: HtmlElement, at: Place): void {
    const { tag, children } = element;
    const { line, level } = at;
    line.end();
    const room = documentLimits.levels - level;
    const heading = /^h([1-6])$/.exec(tag)?.[1];
    if (heading !== undefined) this.#heading(Number(heading), element, at);
    else if (tag === 'hr') line.push({ type: 'horizontalRule' });
    else if (tag === 'pre') this.#code(element, line);
    else if ((tag === 'ul' || tag === 'ol' || tag === 'menu') && room >= 3) this.#list(element, at);
    else if (tag === 'blockquote' && room >= 2) {
      const content = this.blocks(children, level + 1);
      if (content.length > 0) line.push({ type: 'blockquote', content });
    } else if (tag === 'table' && room >= 4) this.#table(element, at);
    else if (tag === 'details' && room >= 3) this.#details(element, at);
    else this.#walk(children, at);
    line.end();
  }

  #marked({ tag, attributes }: HtmlElement, marks: readonly MarkJson[]): readonly MarkJson[] {
    const mark = tag === 'a' ? this.#link(attributes) : marksOfTags[tag] && { type: marksOfTags[tag] };
    const weight = /(?:^|;)\s*font-weight\s*:\s*(\w+)/i.exec(attributes.style ?? '')?.[1]?.toLowerCase();
    // Text that was copied from Google Docs is within an element for bold text that is not bold.
    if (weight === 'normal' || weight === '400') return marks.filter(({ type }) => type !== 'bold');
    const given = mark ?? (/^(?:bold|[6-9]00)$/.test(weight ?? '') ? { type: 'bold' } : undefined);
    if (!given || marks.some(({ type }) => type === given.type)) return marks;
    return [...marks, given];
  }

  #link({ href, title }: HtmlElement['attributes']): MarkJson | undefined {
    const address = href === undefined ? undefined : this.#absolute(href);
    if (address === undefined || problemOfLink(address) !== undefined) return undefined;
    return { type: 'link', attrs: { href: address, ...titled(title) } };
  }

  /** What is for browsers without scripts are pictures that are loaded late otherwise, and words that say so. */
  #pictures({ tag, children }: HtmlElement, line: LineBuilder): void {
    const sources = children.filter((child) => typeof child !== 'string' && child.tag === 'source');
    for (const image of imagesIn(children)) {
      const attributes = sources.flatMap((source) => (typeof source === 'string' ? [] : [source.attributes]));
      this.#image(image.attributes, line, { sources: attributes, unlessShown: tag === 'noscript' });
    }
  }

  #image(
    attributes: HtmlElement['attributes'],
    line: LineBuilder,
    { sources, unlessShown = false }: { sources?: HtmlElement['attributes'][]; unlessShown?: boolean } = {},
  ): void {
    const { alt, title, width, height } = attributes;
    const address = pictureAddress(attributes, this.base, sources);
    if (address === undefined || (unlessShown && this.#shown.has(address))) return;
    this.#shown.add(address);
    const described = alt === undefined || alt.trim() === '' ? {} : { alt: shortText(alt) };
    const attrs = { src: address, ...described, ...titled(title), ...pixels({ width, height }) };
    line.push({ type: 'image', attrs });
  }

  #absolute(address: string): string | undefined {
    try {
      return new URL(address.trim(), this.base).href;
    } catch {
      return undefined;
    }
  }

  #heading(level: number, { children }: HtmlElement, at: Place): void {
    for (const block of this.blocks(children, at.level, at.marks)) {
      const { content } = block;
      if (block.type !== 'paragraph') at.line.push(block);
      else at.line.push({ type: 'heading', attrs: { level }, ...(content === undefined ? {} : { content }) });
    }
  }

  #code(element: HtmlElement, line: LineBuilder): void {
    const text = clean(textOf(element)).replace(/^\n|\n$/g, '');
    if (text.trim() === '') return;
    const named = /(?:^|\s)lang(?:uage)?-([A-Za-z0-9+#._-]{1,40})(?:\s|$)/.exec(
      `${element.attributes.class ?? ''} ${firstElement(element)?.attributes.class ?? ''}`,
    )?.[1];
    const attrs = named === undefined ? {} : { attrs: { language: named } };
    line.push({ type: 'codeBlock', ...attrs, content: [{ type: 'text', text }] });
  }

  #list({ tag, children, attributes }: HtmlElement, { line, level }: Place): void {
    const items = children.flatMap((child): BlockJson[] => {
      const isItem = typeof child !== 'string' && (child.tag === 'li' || child.tag === 'menuitem');
      const blocks = this.blocks(isItem ? child.children : [child], level + 2);
      if (blocks.length === 0) return [];
      const begins = blocks[0]?.type === 'paragraph';
      return [{ type: 'listItem', content: begins ? blocks : [{ type: 'paragraph' }, ...blocks] }];
    });
    if (items.length === 0) return;
    if (tag !== 'ol') line.push({ type: 'bulletList', content: items });
    else {
      const start = Number(attributes.start ?? 1);
      const attrs = Number.isInteger(start) && start >= 0 && start <= 1_000_000 ? { start } : {};
      line.push({ type: 'orderedList', attrs, content: items });
    }
  }

  #table(table: HtmlElement, { line, level }: Place): void {
    const rows = rowsOf(table).flatMap((row): BlockJson[] => {
      const cells = row.children.flatMap((cell): BlockJson[] => {
        if (typeof cell === 'string' || (cell.tag !== 'td' && cell.tag !== 'th')) return [];
        const content = this.blocks(cell.children, level + 3);
        const attrs = { ...span('colspan', cell, 50), ...span('rowspan', cell, 500) };
        const type = cell.tag === 'th' ? 'tableHeader' : 'tableCell';
        return [{ type, attrs, content: content.length > 0 ? content : [{ type: 'paragraph' }] }];
      });
      return cells.length === 0 ? [] : [{ type: 'tableRow', content: cells }];
    });
    const caption = table.children.find((child) => typeof child !== 'string' && child.tag === 'caption');
    if (typeof caption === 'object')
      for (const block of this.blocks(caption.children, level)) line.push(block);
    if (rows.length > 0) line.push({ type: 'table', content: rows });
  }

  #details({ children }: HtmlElement, { line, level }: Place): void {
    const summary = children.find((child) => typeof child !== 'string' && child.tag === 'summary');
    const content = this.blocks(
      children.filter((child) => child !== summary),
      level + 2,
    );
    const text = typeof summary === 'object' ? clean(textOf(summary)).replace(/\s+/g, ' ').trim() : '';
    const title = { type: 'detailsSummary', ...(text === '' ? {} : { content: [{ type: 'text', text }] }) };
    const body = { type: 'detailsContent', content: content.length > 0 ? content : [{ type: 'paragraph' }] };
    if (text !== '' || content.length > 0) line.push({ type: 'details', content: [title, body] });
  }
}

function imagesIn(nodes: readonly HtmlNode[]): HtmlElement[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    return node.tag === 'img' ? [node] : imagesIn(node.children);
  });
}

interface Place {
  line: LineBuilder;
  level: number;
  marks: readonly MarkJson[];
}

/** Collects what is within a line until it ends, and the blocks that lines and other elements make. */
class LineBuilder {
  readonly blocks: BlockJson[] = [];
  #line: BlockJson[] = [];
  /** Whether a space would be the second one, or the first of the line. */
  #isSpaced = true;

  text(text: string, marks: readonly MarkJson[]): void {
    let shown = clean(text).replace(/[\s\u00a0]+/g, ' ');
    if (this.#isSpaced) shown = shown.trimStart();
    if (shown === '') return;
    this.#isSpaced = shown.endsWith(' ');
    const last = this.#line.at(-1);
    if (last?.text !== undefined && sameMarks(last.marks, marks)) last.text += shown;
    else this.#line.push({ type: 'text', text: shown, ...(marks.length === 0 ? {} : { marks: [...marks] }) });
  }

  break(): void {
    if (this.#line.length === 0) return;
    this.#line.push({ type: 'hardBreak' });
    this.#isSpaced = true;
  }

  end(): void {
    const line = this.#line;
    this.#line = [];
    this.#isSpaced = true;
    for (let last = line.at(-1); last !== undefined; last = line.at(-1)) {
      if (last.text !== undefined) last.text = last.text.trimEnd();
      if (last.text !== undefined && last.text !== '') break;
      line.pop();
    }
    if (line.length > 0) this.blocks.push({ type: 'paragraph', content: line });
  }

  push(block: BlockJson): void {
    this.end();
    this.blocks.push(block);
  }
}

function sameMarks(one: readonly MarkJson[] | undefined, other: readonly MarkJson[]): boolean {
  const marks = one ?? [];
  return marks.length === other.length && marks.every((mark, at) => mark === other[at]);
}

function rowsOf(table: HtmlElement): HtmlElement[] {
  return table.children.flatMap((child): HtmlElement[] => {
    if (typeof child === 'string') return [];
    if (child.tag === 'tr') return [child];
    return ['thead', 'tbody', 'tfoot'].includes(child.tag) ? rowsOf(child) : [];
  });
}

function span(
  name: 'colspan' | 'rowspan',
  { attributes }: HtmlElement,
  most: number,
): Record<string, number> {
  const value = Number(attributes[name] ?? 1);
  return Number.isInteger(value) && value > 1 && value <= most ? { [name]: value } : {};
}

function pixels(given: Record<'width' | 'height', string | undefined>): Record<string, number> {
  const entries = Object.entries(given).map(([name, text]) => [name, Number(text)] as const);
  return Object.fromEntries(
    entries.filter(([, value]) => Number.isInteger(value) && value >= 1 && value <= 10_000),
  );
}

function titled(title: string | undefined): { title?: string } {
  return title === undefined || title.trim() === '' ? {} : { title: shortText(title) };
}

function shortText(text: string): string {
  return clean(text.replace(/\s+/g, ' ').trim().slice(0, 500));
}

function firstElement({ children }: HtmlElement): HtmlElement | undefined {
  return children.find((child): child is HtmlElement => typeof child !== 'string');
}

export function textOf(node: HtmlNode): string {
  if (typeof node === 'string') return node;
  return node.tag === 'br' ? '\n' : node.children.map(textOf).join('');
}

/** Text as documents may have it: Unicode without U+0000. */
export function clean(text: string): string {
  return text.replace(/[\0\p{Surrogate}]/gu, '\ufffd');
}
