import sanitizeHtml from 'sanitize-html';
import { problemOfImage, problemOfLink } from './addresses.js';
import type { HtmlKind } from './write-html.js';

const alignments = ['align-left', 'align-center', 'align-right', 'align-justify'];
const tags = [
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'ul', 'ol', 'li', 'pre', 'code', 'hr', 'br'],
  ...['a', 'strong', 'em', 's', 'u', 'mark', 'sub', 'sup', 'span', 'div'],
  ...['table', 'tbody', 'tr', 'td', 'th', 'details', 'summary'],
];
const image = ['src', 'alt', 'title', 'width', 'height'];

const common: sanitizeHtml.IOptions = {
  allowedTags: tags,
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    ol: ['start', 'type'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
    details: ['open'],
    img: [...image, 'loading'],
    'amp-img': [...image, 'layout'],
  },
  allowedClasses: {
    p: alignments,
    h1: alignments,
    h2: alignments,
    h3: alignments,
    h4: alignments,
    h5: alignments,
    h6: alignments,
    td: alignments,
    th: alignments,
    code: ['language-*'],
    span: ['task'],
    ul: ['tasks'],
    div: ['table'],
    'amp-img': ['contain'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['https'], 'amp-img': ['https'] },
  allowProtocolRelative: false,
  nestingLimit: 100,
  // Addresses are checked by the rules of the input again, which are stricter than schemes.
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: without(attribs, 'href', problemOfLink) }),
    img: (tagName, attribs) => ({ tagName, attribs: without(attribs, 'src', problemOfImage) }),
    'amp-img': (tagName, attribs) => ({ tagName, attribs: without(attribs, 'src', problemOfImage) }),
  },
};

const options: Record<HtmlKind, sanitizeHtml.IOptions> = {
  html: { ...common, allowedTags: [...tags, 'img'] },
  amp: { ...common, allowedTags: [...tags, 'amp-img'] },
};

/** Removes everything from HTML that a page may not have, whoever wrote it. */
export function sanitizePart(html: string, kind: HtmlKind): string {
  return sanitizeHtml(html, options[kind]);
}

function without(
  attribs: sanitizeHtml.Attributes,
  name: string,
  problemOf: (address: string) => string | undefined,
): sanitizeHtml.Attributes {
  const { [name]: address, ...others } = attribs;
  return address === undefined || problemOf(address) !== undefined ? others : attribs;
}
