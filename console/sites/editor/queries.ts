import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schemas, type Tagged, taggedAnswer } from '../../kit/api.js';
import type { StoredValue } from '../../kit/use-saved-draft.js';
import { pathOf as pathOfSite, type SitePath } from '../queries.js';

export type SitePage = Schemas['PageResponse'];
export type PageDocument = Schemas['PageDocumentResponse'];
export type Revision = Schemas['DocumentRevisionSummaryResponse'];
export type Blocks = PageDocument['contentBlocks'];

export interface PagePath extends SitePath {
  pageId: number;
}
export interface DocumentPath extends PagePath {
  locale: string;
}

export const pathOfPage = (at: PagePath) => ({ ...pathOfSite(at), page_id: at.pageId });
export const pathOf = (at: DocumentPath) => ({ ...pathOfPage(at), locale: at.locale });

const keyOf = (at: PagePath) => [at.uuid, 'sites', at.siteId, 'pages', at.pageId] as const;

/** What an act on a page may change: keys of queries, after that of the workspace. */
export const pageChanged = ({ siteId }: SitePath) => [['sites', siteId, 'pages']] as const;

export function pageQuery(at: PagePath) {
  return queryOptions({
    queryKey: [...keyOf(at), 'page'],
    refetchOnWindowFocus: 'always',
    queryFn: ({ signal }) =>
      taggedAnswer(
        api.GET('/w/{workspace_uuid}/sites/{site_id}/pages/{page_id}', {
          params: { path: pathOfPage(at) },
          signal,
        }),
      ),
  });
}

export function documentsQuery(at: PagePath) {
  return queryOptions({
    queryKey: [...keyOf(at), 'documents'],
    refetchOnWindowFocus: 'always',
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/sites/{site_id}/pages/{page_id}/documents', {
          params: { path: pathOfPage(at) },
          signal,
        }),
      ),
  });
}

/** What somebody writes of a page in one language. */
export interface Written {
  title: string;
  metaDescription: string | null;
  contentBlocks: Blocks;
}

export type StoredDocument = StoredValue<Written> & { document: PageDocument };

export const storedDocument = ({ body, etag }: Tagged<PageDocument>): StoredDocument => {
  const { title, metaDescription, contentBlocks } = body;
  return { value: { title, metaDescription, contentBlocks }, etag, document: body };
};

export function documentQuery(at: DocumentPath) {
  return queryOptions({
    queryKey: [...keyOf(at), 'document', at.locale],
    // A colleague may have written meanwhile.
    refetchOnWindowFocus: 'always',
    queryFn: async ({ signal }) =>
      storedDocument(
        await taggedAnswer(
          api.GET('/w/{workspace_uuid}/sites/{site_id}/pages/{page_id}/documents/{locale}', {
            params: { path: pathOf(at) },
            signal,
          }),
        ),
      ),
  });
}

export function revisionsQuery(at: DocumentPath) {
  return queryOptions({
    queryKey: [...keyOf(at), 'revisions', at.locale],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/sites/{site_id}/pages/{page_id}/documents/{locale}/revisions', {
          // No more are kept.
          params: { path: pathOf(at), query: { pageSize: 30 } },
          signal,
        }),
      ),
  });
}

export function revisionQuery(at: DocumentPath, revisionId: number) {
  return queryOptions({
    queryKey: [...keyOf(at), 'revisions', at.locale, revisionId],
    queryFn: ({ signal }) =>
      answer(
        api.GET(
          '/w/{workspace_uuid}/sites/{site_id}/pages/{page_id}/documents/{locale}/revisions/{revision_id}',
          { params: { path: { ...pathOf(at), revision_id: revisionId } }, signal },
        ),
      ),
  });
}
