import { Marked } from 'marked';

/** Text that is HTML already, so that it is not escaped again. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | undefined | readonly Part[];

/** Builds HTML. Values are escaped unless they are HTML themselves; `undefined` leaves nothing. */
export function html(texts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(String.raw({ raw: texts }, ...values.map(textOf)));
}

function textOf(value: Part): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  return typeof value === 'object' ? value.map(textOf).join('') : escapeHtml(String(value));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}

/** HTML within the Markdown of a description is shown as it is written. */
const marked = new Marked({ renderer: { html: ({ text }) => escapeHtml(text) } });

/** Paragraphs, tables and headings of a description. */
export function markdown(text: string): Html {
  return new Html(marked.parse(text, { async: false }));
}

/** The same sentences stand in many places. */
const sentences = new Map<string, Html>();

/** A sentence of a description: code and links, but no paragraph. */
export function inlineMarkdown(text: string): Html {
  const made = sentences.get(text) ?? new Html(marked.parseInline(text, { async: false }));
  sentences.set(text, made);
  return made;
}
