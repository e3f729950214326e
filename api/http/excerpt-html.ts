import type { ExcerptPart } from '../../domain/lib/excerpt.js';

/** An excerpt as HTML: its text is escaped, and each word that was found is in a `<mark>` element. */
export function excerptHtml(excerpt: readonly ExcerptPart[]): string {
  return excerpt
    .map(({ text, isFound }) => (isFound ? `<mark>${escapeHtml(text)}</mark>` : escapeHtml(text)))
    .join('');
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
