import { column, tenantTable } from '../../lib/table.js';

/** A part of the text of a version of a file, by which it is found. */
export class FilePassageModel extends tenantTable('file_passages', {
  fileId: column<number>(),
  versionId: column<number>(),
  /** From 1. Files without pages have one page, or one for each part of their text. */
  page: column<number>(),
  /** Counts the passages of a page. */
  ordinal: column<number>(),
  text: column<string>('personal'),
  /** The text search configuration of PostgreSQL that the words were read with. */
  language: column<string>('code'),
  tsv: column<string>('personal'),
}) {}
