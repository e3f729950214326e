import { extname } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { FileMimeType } from './accepted-mime-types.js';
import type { TextContent } from './text-content.js';
import { beginsLikeHtml, rootElementOf } from './xml-root.js';

const typesByExtension: Record<string, FileMimeType> = {
  '.txt': 'text/plain',
  '.text': 'text/plain',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.svg': 'image/svg+xml',
};

/** Tables are looked for in the first characters of a text. */
const tableCharacters = 16 * 1024;

/** The kind that the name says, if the content can be of it; otherwise the narrowest kind that the content can be of. */
export function recognizeTextKind(text: TextContent, name: string): FileMimeType | undefined {
  const named = typesByExtension[extname(name).toLowerCase()];
  if (named === 'text/plain' || named === 'text/markdown') return named;
  const start = text.beginning.trimStart();
  if (start.startsWith('<')) {
    const markup = markupKind(text.beginning, named);
    if (markup !== 'other') return markup;
  }
  if (named === 'application/json' && isJson(text)) return named;
  if (/^[[{]/.test(start) && isJson(text)) return 'application/json';
  if (isTable(text, named === 'text/csv')) return 'text/csv';
  return 'text/plain';
}

/** Returns undefined for HTML and for documents with entities of their own, `other` for what is no markup. */
function markupKind(beginning: string, named: FileMimeType | undefined): FileMimeType | 'other' | undefined {
  if (beginsLikeHtml(beginning)) return undefined;
  const root = rootElementOf(beginning);
  if (root === 'refused') return undefined;
  if (root === 'none') return 'other';
  if (root.name === 'html') return undefined;
  const isSvg = root.name === 'svg';
  if (isSvg) return named === 'application/xml' ? named : 'image/svg+xml';
  return 'application/xml';
}

/** A text that is not whole here is JSON if its ends look like it: parsing megabytes would stop the process. */
function isJson({ beginning, whole, end }: TextContent): boolean {
  if (!whole) return /^\s*[[{]/.test(beginning) && /[\]}]\s*$/.test(end);
  try {
    JSON.parse(beginning);
    return true;
  } catch {
    return false;
  }
}

/** Without the name of a table, only several rows of as many columns are one: letters have commas as well. */
function isTable({ beginning }: TextContent, named: boolean): boolean {
  const cut = beginning.length > tableCharacters;
  const sample = cut ? beginning.slice(0, beginning.lastIndexOf('\n', tableCharacters) + 1) : beginning;
  return [',', ';', '\t'].some((delimiter) => {
    const rows = rowsOf(sample, delimiter);
    return named ? rows.length > 0 : rows.length >= 3 && (rows[0]?.length ?? 0) >= 2;
  });
}

function rowsOf(sample: string, delimiter: string): string[][] {
  try {
    return parse(sample, { delimiter, skip_empty_lines: true, bom: true });
  } catch {
    return [];
  }
}
