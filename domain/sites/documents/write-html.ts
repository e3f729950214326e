import type { Mark, Node } from 'prosemirror-model';
import { inlineRuns, writeRuns } from './inline-runs.js';

/** HTML for pages, or the subset of it for AMP (https://amp.dev/documentation/guides-and-tutorials/learn/spec/amphtml). */
export type HtmlKind = 'html' | 'amp';

/**
 * Writes one block as HTML. It uses classes and no styles, because pages forbid inline styles. What it returns is
 * sanitised before it is stored (`sanitize.ts`).
 */
export function writeHtml(block: Node, kind: HtmlKind): string {
  const write = (node: Node): string => {
    if (node.isTextblock && node.type.name !== 'codeBlock') {
      const { open, close } = frameOf(node, kind);
      return open + writeRuns(inlineRuns(node), inlineFormat) + close;
    }
    if (node.isText) return escapeText(node.text ?? '');
    const { open, close } = frameOf(node, kind);
    return open + node.children.map(write).join('') + close;
  };
  return write(block);
}

interface Frame {
  open: string;
  close: string;
}

function frameOf(node: Node, kind: HtmlKind): Frame {
  const { attrs } = node;
  switch (node.type.name) {
    case 'paragraph':
      return element('p', { class: alignment(attrs.textAlign) });
    case 'heading':
      return element(`h${attrs.level}`, { class: alignment(attrs.textAlign) });
    case 'orderedList':
      return element('ol', { start: attrs.start === 1 ? null : attrs.start, type: attrs.type });
    case 'taskItem':
      return element('li', {}, `<span class="task">${attrs.checked ? '☑' : '☐'}</span>`);
    case 'codeBlock': {
      const { open, close } = element('code', { class: attrs.language && `language-${attrs.language}` });
      return { open: `<pre>${open}`, close: `${close}</pre>` };
    }
    case 'image':
      return { open: imageOf(attrs, kind), close: '' };
    case 'tableCell':
      return element('td', spans(attrs));
    case 'tableHeader':
      return element('th', spans(attrs));
    case 'details':
      return element('details', { open: attrs.open ? '' : null });
    case 'table': {
      const { open, close } = element('table', {});
      return { open: `<div class="table">${open}<tbody>`, close: `</tbody>${close}</div>` };
    }
    default:
      return plainFrames[node.type.name] ?? { open: '', close: '' };
  }
}

const plainFrames: Readonly<Record<string, Frame>> = {
  blockquote: element('blockquote', {}),
  bulletList: element('ul', {}),
  taskList: element('ul', { class: 'tasks' }),
  listItem: element('li', {}),
  tableRow: element('tr', {}),
  detailsSummary: element('summary', {}),
  detailsContent: element('div', {}),
  horizontalRule: { open: '<hr>', close: '' },
  hardBreak: { open: '<br>', close: '' },
};

const inlineFormat = {
  open: (mark: Mark) => markFrame(mark).open,
  close: (mark: Mark) => markFrame(mark).close,
  leaf: (node: Node) => (node.isText ? escapeText(node.text ?? '') : '<br>'),
};

const plainMarks: Readonly<Record<string, Frame>> = {
  bold: element('strong', {}),
  italic: element('em', {}),
  strike: element('s', {}),
  underline: element('u', {}),
  highlight: element('mark', {}),
  subscript: element('sub', {}),
  superscript: element('sup', {}),
  code: element('code', {}),
};

function markFrame({ type, attrs }: Mark): Frame {
  if (type.name !== 'link') return plainMarks[type.name] ?? { open: '', close: '' };
  const inNewTab = attrs.target === '_blank';
  return element('a', {
    href: attrs.href,
    title: attrs.title,
    target: inNewTab ? '_blank' : null,
    // The page that opens knows neither the page it comes from nor its window.
    rel: inNewTab ? 'noopener noreferrer' : null,
  });
}

function imageOf({ src, alt, title, width, height }: Node['attrs'], kind: HtmlKind): string {
  const shown = { src, alt: alt ?? '', title };
  if (kind === 'html') return element('img', { ...shown, width, height, loading: 'lazy' }).open;
  // An image of AMP needs a height before it is loaded.
  const size =
    width !== null && height !== null
      ? { width, height, layout: 'responsive' }
      : { height: height ?? defaultAmpHeight, layout: 'fixed-height', class: 'contain' };
  const { open, close } = element('amp-img', { ...shown, ...size });
  return open + close;
}

const defaultAmpHeight = 300;

function spans({ colspan, rowspan, align }: Node['attrs']): Attributes {
  return {
    colspan: colspan === 1 ? null : colspan,
    rowspan: rowspan === 1 ? null : rowspan,
    class: alignment(align),
  };
}

function alignment(side: string | null): string | null {
  return side === null ? null : `align-${side}`;
}

type Attributes = Readonly<Record<string, string | number | null>>;

function element(name: string, attributes: Attributes, begin = ''): Frame {
  const given = Object.entries(attributes).filter(([, value]) => value !== null);
  const text = given.map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`).join('');
  return { open: `<${name}${text}>${begin}`, close: `</${name}>` };
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}
