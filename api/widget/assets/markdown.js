import { element, link } from './elements.js';

/**
 * The little Markdown that agents write, as nodes: paragraphs, lists, bold, italic, code and links. Everything else is shown as
 * it was written. @param {string} text @returns {Node[]}
 */
export function blocks(text) {
  return text
    .replaceAll('\r', '')
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .flatMap(block);
}

/** @param {string} part @returns {Node[]} */
function block(part) {
  const lines = part.split('\n');
  for (const [name, form] of /** @type {const} */ ([
    ['ul', /^\s*[-*•]\s+/],
    ['ol', /^\s*\d{1,3}[.)]\s+/],
  ])) {
    const first = lines.findIndex((line) => form.test(line));
    if (first === -1 || !lines.slice(first).every((line) => form.test(line))) continue;
    const items = lines.slice(first).map((line) => element('li', {}, inline(line.replace(form, ''))));
    const before = lines.slice(0, first).join('\n');
    return [...(before === '' ? [] : [element('p', {}, inline(before))]), element(name, {}, items)];
  }
  const heading = /^#{1,6}\s+(.*)$/s.exec(part);
  if (heading !== null) return [element('p', {}, [element('strong', {}, inline(heading[1] ?? ''))])];
  return [element('p', {}, inline(part))];
}

const spans =
  /\[([^\]\n]{1,300})\]\(([^()\s]{1,2000})\)|(https?:\/\/[^\s<>"]{1,2000})|\*\*([^*\n]{1,500})\*\*|\*([^*\n]{1,500})\*|`([^`\n]{1,500})`/g;

/** @param {string} text @returns {(Node | string)[]} */
function inline(text) {
  /** @type {(Node | string)[]} */
  const made = [];
  let from = 0;
  for (const found of text.matchAll(spans)) {
    made.push(text.slice(from, found.index), ...span(found));
    from = found.index + found[0].length;
  }
  made.push(text.slice(from));
  return made.filter((part) => part !== '');
}

/** @param {RegExpMatchArray} found @returns {(Node | string)[]} */
function span([whole, label, target, address, bold, italic, code]) {
  if (label !== undefined && target !== undefined) return [link(target, label)];
  if (bold !== undefined) return [element('strong', {}, [bold])];
  if (italic !== undefined) return [element('em', {}, [italic])];
  if (code !== undefined) return [element('code', {}, [code])];
  if (address === undefined) return [whole];
  // What ends a sentence does not belong to the address.
  const href = address.replace(/[.,;:!?)\]*]+$/, '');
  return [link(href, href), address.slice(href.length)];
}
