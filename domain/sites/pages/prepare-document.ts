import type { DocumentValues } from '../../../db/sites/site-page-documents.js';
import { checkDocument } from '../documents/check-document.js';
import { renderDocument } from '../documents/render-document.js';

export type PreparedDocument = Pick<DocumentValues, 'content' | 'html' | 'markdown' | 'amp' | 'contentBytes'>;

/** What a page has that nobody has written yet. */
export const emptyDocument = { type: 'doc', content: [{ type: 'paragraph' }] };

/** Checks a document and renders it, as it is stored. @throws InvalidInput with every place that is refused */
export async function prepareDocument(contentBlocks: unknown): Promise<PreparedDocument> {
  const document = checkDocument(contentBlocks);
  const json = JSON.stringify(document);
  return {
    content: JSON.parse(json) as Record<string, unknown>,
    contentBytes: Buffer.byteLength(json),
    ...(await renderDocument(document)),
  };
}
