import { Marked } from 'marked';
import { escapeHtml, Html } from '../../html.js';

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
