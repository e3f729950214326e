import { column, tenantTable } from '../../lib/table.js';

/** A part of the text of a published document, by which it is found. */
export class PagePassageModel extends tenantTable('page_passages', {
  siteId: column<number>(),
  pageId: column<number>(),
  documentId: column<number>(),
  /** Counts the passages of the document. */
  ordinal: column<number>(),
  text: column<string>('configuration'),
  /** The text search configuration of PostgreSQL that the words were read with. */
  language: column<string>('code'),
  tsv: column<string>('configuration'),
}) {}
