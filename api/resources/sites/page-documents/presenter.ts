import type { SitePageDocumentRow } from '../../../../db/sites/site-page-documents.js';

export function presentDocument(document: SitePageDocumentRow) {
  return { ...document, ...presentContents(document) };
}

/** The contents of a page in its four forms. */
export function presentContents({
  content: contentBlocks,
  markdown: contentMarkdown,
  html: contentHtml,
  amp: contentAMP,
}: Pick<SitePageDocumentRow, 'content' | 'markdown' | 'html' | 'amp'>) {
  return { contentBlocks, contentMarkdown, contentHtml, contentAMP };
}
