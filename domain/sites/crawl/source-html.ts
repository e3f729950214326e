import { problemOfLink } from '../documents/addresses.js';
import { clean } from './html-to-document.js';
import type { HtmlElement, HtmlNode } from './html-tree.js';
import { crawlLimits } from './limits.js';
import { pictureAddress } from './picture-address.js';

const kept = new Set([
  ...[
    'p',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'ul',
    'ol',
    'li',
    'dl',
    'dt',
    'dd',
    'blockquote',
    'pre',
    'code',
    'hr',
    'br',
  ],
  ...[
    'a',
    'b',
    'strong',
    'i',
    'em',
    's',
    'del',
    'u',
    'ins',
    'mark',
    'sub',
    'sup',
    'span',
    'div',
    'section',
    'article',
  ],
  ...['main', 'figure', 'figcaption', 'img', 'table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th'],
  ...['details', 'summary', 'abbr', 'cite', 'q', 'small', 'time', 'address', 'kbd', 'samp', 'var'],
]);
const empty = new Set(['br', 'hr', 'img']);
const plain = ['alt', 'title', 'colspan', 'rowspan', 'lang', 'start'];

/**
 * Writes the contents of a page as HTML again: known elements, texts, and addresses that pages of sites can have. Scripts, styles and
 * handlers of events are no part of it.
 * @returns cut where it has more bytes than are stored
 */
export function sourceHtmlOf(contents: HtmlElement, base: string): string {
  const parts: string[] = [];
  let bytes = 0;
  const add = (part: string): boolean => {
    bytes += Buffer.byteLength(part);
    if (bytes > crawlLimits.sourceHtmlBytes) return false;
    parts.push(part);
    return true;
  };
  const write = (node: HtmlNode): boolean => {
    if (typeof node === 'string') return add(escaped(clean(node)));
    const { tag, children } = node;
    if (tag === 'noscript') return true;
    if (!kept.has(tag)) return children.every(write);
    if (!add(`<${tag}${attributesOf(node, base)}>`)) return false;
    if (empty.has(tag)) return true;
    const isWhole = children.every(write);
    // Elements that are cut are closed all the same.
    parts.push(`</${tag}>`);
    return isWhole;
  };
  contents.children.every(write);
  return parts.join('');
}

function attributesOf({ tag, attributes }: HtmlElement, base: string): string {
  const shown: [string, string][] = [];
  for (const name of plain) {
    const value = attributes[name];
    if (value !== undefined) shown.push([name, value.slice(0, 500)]);
  }
  const address = addressOf(tag, attributes, base);
  if (address !== undefined) shown.push([tag === 'img' ? 'src' : 'href', address]);
  return shown.map(([key, value]) => ` ${key}="${escaped(clean(value))}"`).join('');
}

function addressOf(tag: string, attributes: HtmlElement['attributes'], base: string): string | undefined {
  if (tag === 'img') return pictureAddress(attributes, base);
  if (tag !== 'a' || attributes.href === undefined) return undefined;
  const address = absolute(attributes.href, base);
  return address === undefined || problemOfLink(address) !== undefined ? undefined : address;
}

function absolute(address: string, base: string): string | undefined {
  try {
    return new URL(address.trim(), base).href;
  } catch {
    return undefined;
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
