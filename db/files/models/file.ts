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
  title: column<string>(),
  description: column<string | null>(),
  /** Name, type, kind and size are those of the current version. */
  filename: column<string>(),
  mimeType: column<string>(),
  kind: column<FileKind>(),
  fileSize: column<number>(),
  access: column<FileAccess>(),
  source: column<FileSource>(),
  choicePrompt: column<string | null>(),
  externalId: column<string | null>(),
  currentVersionId: column<number>(),
  currentVersionNumber: column<number>(),
  lastEditedByMemberId: column<number | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type FileRow = RowOf<FileModel>;
