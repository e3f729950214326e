import type { Tx } from '../database.js';
import { insertRows, selectRows } from '../lib/rows.js';
import { FileAttachmentModel, type FileAttachmentRow } from './models/file-attachment.js';

export type { FileAttachmentRow } from './models/file-attachment.js';

export type NewAttachment = Pick<FileAttachmentRow, 'fileId' | 'memberId' | 'attachedByMemberId'> &
  Partial<Pick<FileAttachmentRow, 'chatId' | 'assignmentId' | 'messageId' | 'recordId'>>;

/** Attaches files. All attachments name the same kinds of things. The member of each may read its file from now on. */
export async function insertAttachments(
  tx: Tx,
  attachments: readonly NewAttachment[],
): Promise<FileAttachmentRow[]> {
  return attachments.length === 0 ? [] : insertRows(FileAttachmentModel, tx, attachments);
}

export async function attachmentsOfFile(tx: Tx, fileId: number): Promise<FileAttachmentRow[]> {
  return selectRows(FileAttachmentModel, tx, 'file_id = ? order by id', [fileId]);
}
