import type { FoundInFilesAndPages } from '../../../../domain/files/search/search-files.js';
import { excerptHtml } from '../../../http/excerpt-html.js';
import type { FileSearchResponse } from './schemas.js';

export function presentFound(found: FoundInFilesAndPages): FileSearchResponse {
  const { passages, pagePassages, pendingFiles } = found;
  const items = passages.map(({ file, page, text, excerpt }) => {
    return { file, page, text, excerpt: excerptHtml(excerpt) };
  });
  const pages = pagePassages.map(({ site, page, text, excerpt }) => {
    return { site, page, text, excerpt: excerptHtml(excerpt) };
  });
  return { items, pages, pendingFiles };
}
