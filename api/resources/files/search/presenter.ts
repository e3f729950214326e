import type { FoundPassages } from '../../../../domain/files/search/find-passages.js';
import { excerptHtml } from '../../../http/excerpt-html.js';
import type { FileSearchResponse } from './schemas.js';

export function presentFound({ passages, pendingFiles }: FoundPassages): FileSearchResponse {
  const items = passages.map(({ excerpt, ...passage }) => ({ ...passage, excerpt: excerptHtml(excerpt) }));
  return { items, pendingFiles };
}
