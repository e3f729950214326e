import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** A link to a file or to a folder. Its token is stored as a digest. */
export class FileShareModel extends tenantTable('file_shares', {
  uuid: column<string>(),
  fileId: column<number | null>(),
  folderId: column<number | null>(),
  tokenHash: column<Buffer>('digest'),
  expiresAt: column<Date | null>(),
  revokedAt: column<Date | null>(),
  uses: column<number>(),
  lastUsedAt: column<Date | null>(),
  createdByMemberId: column<number | null>(),
  createdAt: column<Date>(),
}) {}

export type FileShareRow = RowOf<FileShareModel>;
