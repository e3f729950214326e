import type { Tx } from '../database.js';
import { columnsOf } from '../lib/rows.js';
import { prepared } from '../statement.js';
import { FileModel, type FileRow } from './models/file.js';
import type { FileAttachmentRow } from './models/file-attachment.js';
import { type FileReader, fileReadableBy } from './readable-files.js';

/** What files are attached to: at least one of these. */
export type AttachedTo = Partial<
  Pick<FileAttachmentRow, 'chatId' | 'assignmentId' | 'messageId' | 'recordId'>
>;

export interface NewAttachments {
  fileIds: readonly number[];
  to: AttachedTo;
  /** The members who may read the files from now on; null stands for no member. */
  readerIds: readonly (number | null)[];
  attachedByMemberId: number | null;
}

/** Attaches files: every reader may read each of them from now on. */
export async function insertAttachments(tx: Tx, attachments: NewAttachments): Promise<void> {
  const { fileIds, to, readerIds, attachedByMemberId } = attachments;
  await prepared(
    tx,
    `insert into file_attachments (workspace_id, file_id, member_id, chat_id, assignment_id, message_id, record_id,
       attached_by_member_id)
     select ?, file_id, member_id, ?::bigint, ?::bigint, ?::bigint, ?::bigint, ?::bigint
     from unnest(?::bigint[]) file_id cross join unnest(?::bigint[]) member_id`,
    [
      tx.workspaceId,
      to.chatId ?? null,
      to.assignmentId ?? null,
      to.messageId ?? null,
      to.recordId ?? null,
      attachedByMemberId,
      fileIds,
      readerIds,
    ],
  );
}

/** Returns those of these files that the reader may read, and keeps them from deletion until the transaction ends. */
export async function pinFiles(tx: Tx, ids: readonly number[], reader: FileReader): Promise<FileRow[]> {
  const { text, bindings } = fileReadableBy(reader);
  return prepared<FileRow>(
    tx,
    `select ${columnsOf(FileModel)} from files where files.id = any(?) and ${text} order by id for key share of files`,
    [ids, ...bindings],
  );
}
