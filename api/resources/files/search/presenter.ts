import type { ExcerptPart, FoundPassages } from '../../../../domain/files/search/find-passages.js';
import type { FileSearchResponse } from './schemas.js';

export function presentFound({ passages, pendingFiles }: FoundPassages): FileSearchResponse {
  const items = passages.map(({ excerpt, ...passage }) => ({ ...passage, excerpt: htmlOf(excerpt) }));
  return { items, pendingFiles };
}

function htmlOf(excerpt: readonly ExcerptPart[]): string {
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
