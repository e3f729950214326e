import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';
import type { FileKind } from './file.js';

export type IndexingState = 'pending' | 'indexed' | 'unsupported' | 'failed' | 'given_up';

export class FileVersionModel extends tenantTable('file_versions', {
  uuid: column<string>(),
  fileId: column<number>(),
  /** Counts from 1 in each file. */
  number: column<number>(),
  /** A version that was restored has the object of the earlier one. */
  objectId: column<number>(),
  filename: column<string>('personal'),
  mimeType: column<string>('code'),
  kind: column<FileKind>('code'),
  fileSize: column<number>(),
  uploadedByMemberId: column<number | null>(),
  createdAt: column<Date>(),
  indexingState: column<IndexingState>('code'),
  indexingReason: column<string | null>('code'),
  indexingAttempts: column<number>(),
  indexedPages: column<number>(),
}) {}

export type FileVersionRow = RowOf<FileVersionModel>;
