import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export type FileAccess = 'private' | 'workspace' | 'public';
/** `other`: what came from outside and is of no kind that is uploaded. */
export type FileKind = 'document' | 'image' | 'data' | 'media' | 'other';
type FileSource = 'upload' | 'message' | 'agent';

export class FileModel extends tenantTable('files', {
  uuid: column<string>(),
  /** Null: in no folder. */
  folderId: column<number | null>(),
  /** Whose visitors read it. */
  siteId: column<number | null>(),
  /** Null: it belongs to no member. */
  ownerMemberId: column<number | null>(),
  title: column<string>('personal'),
  description: column<string | null>('personal'),
  /** Name, type, kind and size are those of the current version. */
  filename: column<string>('personal'),
  mimeType: column<string>('code'),
  kind: column<FileKind>('code'),
  fileSize: column<number>(),
  access: column<FileAccess>('code'),
  source: column<FileSource>('code'),
  choicePrompt: column<string | null>('personal'),
  externalId: column<string | null>('personal'),
  currentVersionId: column<number>(),
  currentVersionNumber: column<number>(),
  lastEditedByMemberId: column<number | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type FileRow = RowOf<FileModel>;
