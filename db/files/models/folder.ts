import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';
import type { FileAccess } from './file.js';

export class FolderModel extends tenantTable('folders', {
  uuid: column<string>(),
  /** Null: at the root. */
  parentFolderId: column<number | null>(),
  name: column<string>(),
  slug: column<string>(),
  description: column<string | null>(),
  /** Who sees the folder. It widens the access of no file. */
  access: column<FileAccess>(),
  ownerMemberId: column<number | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type FolderRow = RowOf<FolderModel>;
