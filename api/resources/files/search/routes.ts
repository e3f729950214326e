import type { FoundInFilesAndPages } from '../../../../domain/files/search/search-files.js';
import { searchFiles } from '../../../../domain/files/search/search-files.js';
import { defineRoute } from '../../../http/define-route.js';
import { excerptHtml } from '../../../http/excerpt-html.js';
import { readers } from '../access.js';
import { FileSearchResponse, SearchFilesQuery } from './schemas.js';

const search = defineRoute({
  operationId: 'searchFiles',
  method: 'GET',
  path: '/w/{workspace_uuid}/files/search',
  tag: 'Files',
  summary: 'Search the texts of files and pages',
  description:
    'Answers with passages of the current versions of PDF, Word, text, Markdown and CSV files, and of the published pages of sites (`pages`). Without the permission files:read: of own files, of those attached for the caller, and of those with the access workspace or public.',
  access: readers,
  query: SearchFilesQuery,
  admission: 'searches',
  example: { query: { q: 'fever or bleeding', words: 'any' } },
  response: { status: 200, schema: FileSearchResponse },
  errors: {
    503: 'The search found too much to rank within three seconds (`search_too_slow`), or too many are in progress (`too_many_large_requests`).',
  },
  handler: async ({ context, query }) => presentFound(await searchFiles(context, query)),
});

function presentFound({ passages, pagePassages, pendingFiles }: FoundInFilesAndPages) {
  const items = passages.map((passage) => ({ ...passage, excerpt: excerptHtml(passage.excerpt) }));
  const pages = pagePassages.map((passage) => ({ ...passage, excerpt: excerptHtml(passage.excerpt) }));
  return { items, pages, pendingFiles };
}

export const searchRoutes = [search];
