import type { DocumentSummary, SitePageDocumentRow } from '../../../../db/sites/site-page-documents.js';
import type { PageDocumentResponse, PageDocumentSummaryResponse } from './schemas.js';

export function presentDocumentSummary(document: DocumentSummary): PageDocumentSummaryResponse {
  const { id, pageId, locale, version, title, metaDescription, publishedVersion, editedByMemberId } =
    document;
  return {
    ...{ id, pageId, locale, version, title, metaDescription, publishedVersion, editedByMemberId },
    publishedAt: document.publishedAt?.toISOString() ?? null,
    createdAt: document.createdAt.toISOString(),
    updatedAt: document.updatedAt.toISOString(),
  };
}

export function presentDocument(document: SitePageDocumentRow): PageDocumentResponse {
  return {
    ...presentDocumentSummary(document),
    contentBlocks: document.content,
    contentMarkdown: document.markdown,
    contentHtml: document.html,
    contentAMP: document.amp,
  };
}
