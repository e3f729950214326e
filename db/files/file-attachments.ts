import type { EnteredTx, Tx } from '../database.js';
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

/** Lets a member read the files that are attached to a chat. */
export async function addChatFileReader(tx: Tx, chatId: number, memberId: number): Promise<void> {
  await prepared(
    tx,
    `insert into file_attachments (workspace_id, file_id, member_id, chat_id, assignment_id, message_id, record_id,
       attached_by_member_id)
     select distinct workspace_id, file_id, ?::bigint, chat_id, assignment_id, message_id, record_id,
       attached_by_member_id
     from file_attachments where chat_id = ?`,
    [memberId, chatId],
  );
}

/** Takes back what being in a chat let a member read. Other attachments of the same files stay. */
export async function removeChatFileReader(tx: Tx, chatId: number, memberId: number): Promise<void> {
  await prepared(tx, 'delete from file_attachments where chat_id = ? and member_id = ?', [chatId, memberId]);
}

/** How many files of one assignment, and of all of one answer, are shown with it. */
const shownOfAssignment = 50;
const shownOfAll = 500;

export interface FilesOfAssignments {
  /** The newest attachments first, by the id of the assignment. */
  files: Map<number, FileRow[]>;
  /** Assignments of which more files could be read. */
  cut: Set<number>;
}

/** Returns the files of these assignments that the reader may read. */
export async function filesOfAssignments(
  tx: EnteredTx,
  assignmentIds: readonly number[],
  reader: FileReader,
): Promise<FilesOfAssignments> {
  const { text, bindings } = fileReadableBy(reader);
  const rows = await prepared<FileRow & { ofAssignmentId: number; place: number; placeOfAll: number }>(
    tx,
    `select * from (
       select ${columnsOf(FileModel)}, attached.assignment_id as "ofAssignmentId",
         row_number() over (partition by attached.assignment_id order by attached.latest desc) as place,
         row_number() over (order by attached.latest desc) as "placeOfAll"
       from (select assignment_id, file_id, max(id) as latest from file_attachments
         where assignment_id = any(?) group by assignment_id, file_id) attached
       join files on files.id = attached.file_id
       where ${text}
     ) found where place <= ? and "placeOfAll" <= ? order by place`,
    [assignmentIds, ...bindings, shownOfAssignment + 1, shownOfAll + 1],
  );
  const found: FilesOfAssignments = { files: new Map(), cut: new Set() };
  for (const { ofAssignmentId, place, placeOfAll, ...file } of rows) {
    if (place > shownOfAssignment || placeOfAll > shownOfAll) found.cut.add(ofAssignmentId);
    else found.files.set(ofAssignmentId, [...(found.files.get(ofAssignmentId) ?? []), file]);
  }
  return found;
}

/** Which of these files are attached to the assignment itself, not by a message. */
export async function selectAttachedTo(
  tx: Tx,
  assignmentId: number,
  fileIds: readonly number[],
): Promise<Set<number>> {
  const rows = await prepared<{ fileId: number }>(
    tx,
    `select distinct file_id as "fileId" from file_attachments
     where assignment_id = ? and message_id is null and file_id = any(?)`,
    [assignmentId, fileIds],
  );
  return new Set(rows.map(({ fileId }) => fileId));
}

export async function countFilesOfAssignment(tx: Tx, assignmentId: number): Promise<number> {
  const [row] = await prepared<{ count: number }>(
    tx,
    'select count(distinct file_id) as count from file_attachments where assignment_id = ? and message_id is null',
    [assignmentId],
  );
  return row?.count ?? 0;
}

/** Detaches a file from an assignment. What a message brought stays. @returns whether it was attached */
export async function detachFromAssignment(tx: Tx, assignmentId: number, fileId: number): Promise<boolean> {
  const rows = await prepared(
    tx,
    'delete from file_attachments where assignment_id = ? and file_id = ? and message_id is null returning id',
    [assignmentId, fileId],
  );
  return rows.length > 0;
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
