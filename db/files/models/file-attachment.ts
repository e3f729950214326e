import { column, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** What a file is attached to. */
export class FileAttachmentModel extends tenantTable('file_attachments', {
  fileId: column<number>(),
  /** The member who may read the file because of the attachment. */
  memberId: column<number | null>(),
  chatId: column<number | null>(),
  assignmentId: column<number | null>(),
  messageId: column<number | null>(),
  recordId: column<number | null>(),
  attachedByMemberId: column<number | null>(),
  createdAt: column<Date>(),
}) {}

export type FileAttachmentRow = RowOf<FileAttachmentModel>;
