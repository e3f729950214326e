import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';
import type { FileAccess } from './file.js';

export class FolderModel extends tenantTable('folders', {
  uuid: column<string>(),
  /** Null: at the root. */
  parentFolderId: column<number | null>(),
  name: column<string>('personal'),
  slug: column<string>('personal'),
  description: column<string | null>('personal'),
  /** Who sees the folder. It widens the access of no file. */
  access: column<FileAccess>('code'),
  ownerMemberId: column<number | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type FolderRow = RowOf<FolderModel>;
