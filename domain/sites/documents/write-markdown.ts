import type { Node } from 'prosemirror-model';
import { maxColumns } from './attributes.js';
import { type InlineRun, inlineRuns, writeRuns } from './inline-runs.js';

/**
 * Writes one block as Markdown (CommonMark, with tables, tasks and strikethrough of GitHub). There is no HTML in it: what
 * Markdown has no mark for, such as underlining, is shown without. Text is escaped, so that it reads as it was written.
 * @param follows a block of the same kind, from which a list needs another marker to be a list of its own
 */
export function writeMarkdown(block: Node, follows = false): string {
  const { attrs, type } = block;
  switch (type.name) {
    case 'heading':
      return `${'#'.repeat(attrs.level)} ${withoutClosing(inlineText(block, ' '))}`.trimEnd();
    case 'blockquote':
      return prefixed(blocksOf(block), '> ');
    case 'bulletList':
      return listOf(block, () => (follows ? '* ' : '- '));
    case 'orderedList':
      return listOf(block, (at) => `${attrs.start + at}${follows ? ')' : '.'} `);
    case 'taskList':
      return listOf(block, (_, item) => `${follows ? '*' : '-'} [${item.attrs.checked ? 'x' : ' '}] `);
    case 'codeBlock':
      return codeBlock(block.textContent, attrs.language ?? '');
    case 'horizontalRule':
      return '---';
    case 'image':
      return imageOf(block);
    case 'table':
      return tableOf(block);
    case 'details':
      return detailsOf(block);
    default:
      return block.isTextblock ? escapeLineStart(inlineText(block, '\\\n')) : blocksOf(block);
  }
}

/** Signs at the end of a heading would be taken for its end. */
function withoutClosing(text: string): string {
  return text.endsWith('#') ? `${text.slice(0, -1)}\\#` : text;
}

/** The blocks of a node, with an empty line between two. */
function blocksOf(parent: Node): string {
  return joinedBlocks(parent.children);
}

export function joinedBlocks(blocks: readonly Node[]): string {
  return withNeighbours(blocks)
    .map(([block, follows]) => writeMarkdown(block, follows))
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Each block, and whether it has to differ from the one before: every second list of a row of lists. */
export function withNeighbours(blocks: readonly Node[]): [block: Node, follows: boolean][] {
  let other = false;
  return blocks.map((block, at) => {
    other = blocks[at - 1]?.type === block.type && !other;
    return [block, other];
  });
}

function prefixed(text: string, first: string, others = first): string {
  return text
    .split('\n')
    .map((line, at) => {
      const prefix = at === 0 ? first : others;
      return line === '' ? prefix.trimEnd() : prefix + line;
    })
    .join('\n');
}

function listOf(list: Node, markerOf: (at: number, item: Node) => string): string {
  const isTight = list.children.every(({ childCount }) => childCount === 1);
  return list.children
    .map((item, at) => {
      const marker = markerOf(at, item);
      const width = marker.indexOf(' ') + 1;
      return prefixed(blocksOf(item), marker, ' '.repeat(width));
    })
    .join(isTight ? '\n' : '\n\n');
}

function codeBlock(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, maxTicks(text) + 1));
  return `${fence}${language}\n${text === '' ? '' : `${text.replace(/\r\n?/g, '\n')}\n`}${fence}`;
}

function maxTicks(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}

function imageOf({ attrs: { src, alt, title } }: Node): string {
  return `![${escapeMarkdown(oneLine(alt ?? ''))}](${target(src, title)})`;
}

function tableOf(table: Node): string {
  const rows = table.children.map((row) => row.children.flatMap(cellsOf).slice(0, maxCells));
  const columns = Math.max(1, ...rows.map(({ length }) => length));
  const [head = [], ...body] = rows;
  const all = [padded(head, columns), Array<string>(columns).fill('---'), ...body];
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const maxCells = 1_000;

/** A cell that spans columns is followed by empty ones, up to the columns that a table may have. */
function cellsOf(cell: Node): string[] {
  const texts: string[] = [];
  cell.descendants((node) => {
    if (node.type.name === 'image') texts.push(imageOf(node));
    if (!node.isTextblock) return true;
    texts.push(inlineText(node, ' '));
    return false;
  });
  const text = texts.filter((part) => part !== '').join(' ');
  return padded([text], Math.min(cell.attrs.colspan, maxColumns));
}

function padded(cells: readonly string[], columns: number): string[] {
  return Array.from({ length: Math.max(columns, cells.length) }, (_, at) => cells[at] ?? '');
}

function detailsOf(details: Node): string {
  const [summary, content] = details.children;
  const title = summary === undefined ? '' : inlineText(summary, ' ');
  return [title === '' ? '' : `**${title}**`, content === undefined ? '' : blocksOf(content)]
    .filter((part) => part !== '')
    .join('\n\n');
}

const delimiters: Readonly<Record<string, string>> = { bold: '**', italic: '*', strike: '~~' };

/** The inline content of a block. @param lineBreak what stands for a hard break */
function inlineText(block: Node, lineBreak: string): string {
  const text = writeRuns(expelSpaces(inlineRuns(block)), {
    open: ({ type }) => (type.name === 'link' ? '[' : (delimiters[type.name] ?? '')),
    close: ({ type, attrs }) =>
      type.name === 'link' ? `](${target(attrs.href, attrs.title)})` : (delimiters[type.name] ?? ''),
    leaf: (node) => {
      if (!node.isText) return lineBreak;
      const shown = oneLine(node.text ?? '');
      return node.marks.some(({ type }) => type.name === 'code') ? inlineCode(shown) : escapeMarkdown(shown);
    },
  });
  return text.trim();
}

/** Emphasis must not begin or end with a space: spaces at the edge of a run have the marks that both neighbours have. */
function expelSpaces(runs: readonly InlineRun[]): InlineRun[] {
  const parts = runs.flatMap(({ node, marks }): InlineRun[] => {
    const text = node.text ?? '';
    const core = text.trim();
    const begins = text.length - text.trimStart().length;
    const isCode = marks.some(({ type }) => type.name === 'code');
    if (!node.isText || isCode || core === text) return [{ node, marks }];
    const [before, after] = [text.slice(0, begins), text.slice(begins + core.length)];
    return [before, core, after]
      .filter((text) => text !== '')
      .map((text) => ({ node: node.type.schema.text(text, marks), marks }));
  });
  return parts.map((part, at) => {
    if (part.node.isText && part.node.text?.trim() !== '') return part;
    const [before, after] = [parts[at - 1]?.marks ?? [], parts[at + 1]?.marks ?? []];
    return { ...part, marks: before.filter((mark) => mark.isInSet([...after])) };
  });
}

function inlineCode(text: string): string {
  const fence = '`'.repeat(maxTicks(text) + 1);
  const pad = /^`|`$|^ .* $/.test(text) ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

function oneLine(text: string): string {
  return text.replace(/\s/g, ' ');
}

/** Characters that have a meaning anywhere in a line. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>&~|]/g, '\\$&');
}

/** What would make a heading, a list, a quote or a rule of a line. */
function escapeLineStart(text: string): string {
  return text.replace(/^([ \t]*)(?:([#+=-])|(\d{1,9})([.)]))/gm, (_, space, sign, number, dot) =>
    sign === undefined ? `${space}${number}\\${dot}` : `${space}\\${sign}`,
  );
}

function target(address: string, title: string | null): string {
  const place = /[()]/.test(address) ? `<${address}>` : address;
  if (title === null || title.trim() === '') return place;
  return `${place} "${oneLine(title).replace(/[\\"<>&]/g, '\\$&')}"`;
}
