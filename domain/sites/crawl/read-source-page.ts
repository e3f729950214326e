import { createHash } from 'node:crypto';
import { InvalidInput } from '../../lib/errors.js';
import { type PreparedDocument, prepareDocument } from '../pages/prepare-document.js';
import { clean, htmlToDocument, textOf } from './html-to-document.js';
import { readHtml } from './html-tree.js';
import { sourceHtmlOf } from './source-html.js';

/** A page of the source, as pages of sites can have it. */
export interface ReadPage {
  title: string | null;
  description: string | null;
  language: string | null;
  /** As they are written. */
  canonical: string | undefined;
  base: string | undefined;
  links: string[];
  prepared: PreparedDocument;
  html: string;
  /** Of what its readers see: its words and pictures. Where its links lead, another page with the same contents may differ. */
  contentHash: string;
  /** Whether the page was too large, and its end is left out. */
  isCut: boolean;
}

const maxTitleLength = 200;
const maxDescriptionLength = 500;

/** Reads the HTML of a page at an address. Whatever it has becomes a document that is checked like those of editors. */
export async function readSourcePage(
  html: string,
  url: string,
  excludedTags: readonly string[],
): Promise<ReadPage> {
  const page = await readHtml(html, excludedTags);
  const base = resolved(page.base, url);
  const converted = htmlToDocument(page.contents, base);
  const prepared = await prepareDocument(converted.document).catch((error: unknown) => {
    if (!(error instanceof InvalidInput)) throw error;
    // A document that the rules refuse after all is shown as its text.
    return prepareDocument(textDocument(textOf(page.contents)));
  });
  const title = shown(page.title, maxTitleLength);
  const description = shown(page.description, maxDescriptionLength);
  const digest = createHash('sha256').update(JSON.stringify([title, description, shownOf(prepared.content)]));
  return {
    title,
    description,
    language: shown(page.language, 35),
    canonical: page.canonical,
    base,
    links: page.links,
    prepared,
    html: sourceHtmlOf(page.contents, base),
    contentHash: digest.digest('base64url'),
    isCut: page.isCut || converted.isCut,
  };
}

interface NodeJson {
  text?: string;
  attrs?: { src?: string };
  content?: NodeJson[];
}

function shownOf({ text, attrs, content = [] }: NodeJson): string {
  return text ?? attrs?.src ?? content.map(shownOf).join('\n');
}

function resolved(base: string | undefined, url: string): string {
  if (base === undefined) return url;
  try {
    return new URL(base, url).href;
  } catch {
    return url;
  }
}

function textDocument(text: string) {
  const shownText = clean(text).slice(0, 20_000).replace(/\s+/g, ' ').trim();
  const content = shownText === '' ? {} : { content: [{ type: 'text', text: clean(shownText) }] };
  return { type: 'doc', content: [{ type: 'paragraph', ...content }] };
}

/** In one line, without invisible characters; null: nothing is left. */
function shown(text: string | undefined, max: number): string | null {
  const line = clean(text ?? '')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return line === '' ? null : clean(line.slice(0, max)).trim();
}
