import { idCondition } from '../lib/id-condition.js';
import { prepared } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import { FileModel, type FileRow } from './models/file.js';
import { FileAttachmentModel, type FileAttachmentRow } from './models/file-attachment.js';
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
  await FileAttachmentModel.deleteWhere(tx, 'chat_id = ? and member_id = ?', [chatId, memberId]);
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
       select ${FileModel.columns}, attached.assignment_id as "ofAssignmentId",
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
  const attached = 'assignment_id = ? and message_id is null and file_id = any(?)';
  const rows = await FileAttachmentModel.pick(tx, ['fileId'], attached, [assignmentId, fileIds]);
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
  const attached = 'assignment_id = ? and file_id = ? and message_id is null';
  return (await FileAttachmentModel.deleteWhere(tx, attached, [assignmentId, fileId])) > 0;
}

/** More than a record holds: a limit makes PostgreSQL look up the files of each record by itself. */
const maxOfRecord = 1_000;

/** What a record says of a file that it holds. */
export type RecordFile = Pick<FileRow, 'id' | 'uuid' | 'title' | 'filename' | 'mimeType'>;

/** The most files of the records of one answer. */
const shownOfRecords = 1_000;

export interface FilesOfRecords {
  /** In the order of their ids, by the id of the record. */
  files: Map<number, RecordFile[]>;
  /** The first of the records for whose files there was no room; those of the ones after it were not read either. */
  cutAt: number | undefined;
}

/** Returns the files that these records hold and that the reader may read, of the first records first. */
export async function filesOfRecords(
  tx: EnteredTx,
  recordIds: readonly number[],
  reader: FileReader,
): Promise<FilesOfRecords> {
  const { text, bindings } = fileReadableBy(reader);
  const rows = await prepared<RecordFile & { ofRecordId: number }>(
    tx,
    `select given.record_id as "ofRecordId", file.*
     from unnest(?::bigint[]) with ordinality as given (record_id, place)
     cross join lateral (select file_id from file_attachments t where t.record_id = given.record_id limit ?) held
     cross join lateral (select id, uuid, title, filename, mime_type as "mimeType" from files
       where files.id = held.file_id and ${text} limit 1) file
     order by given.place, file.id limit ?`,
    [recordIds, maxOfRecord, ...bindings, shownOfRecords + 1],
  );
  const cutAt = rows.length > shownOfRecords ? rows.at(-1)?.ofRecordId : undefined;
  const files = new Map<number, RecordFile[]>();
  for (const { ofRecordId, ...file } of rows) {
    if (ofRecordId === cutAt) break;
    files.set(ofRecordId, [...(files.get(ofRecordId) ?? []), file]);
  }
  return { files, cutAt };
}

/** A file that a record holds. */
export interface FileOfRecord {
  recordId: number;
  fileId: number;
}

/** A file that a record begins to hold. */
export interface FileForRecord extends FileOfRecord {
  /** The member who may read it from now on; null: no member. */
  memberId: number | null;
}

/** Attaches files to records, many at once. Processes of the previous release leave attachments when a value is taken away. */
export async function attachToRecords(
  tx: Tx,
  attached: readonly FileForRecord[],
  attachedByMemberId: number | null,
): Promise<void> {
  if (attached.length === 0) return;
  await prepared(
    tx,
    `insert into file_attachments (workspace_id, file_id, member_id, record_id, attached_by_member_id)
     select ?, file_id, member_id, record_id, ?::bigint
     from unnest(?::bigint[], ?::bigint[], ?::bigint[]) as given (file_id, member_id, record_id)
     on conflict (workspace_id, record_id, file_id) where record_id is not null
       do update set member_id = excluded.member_id, attached_by_member_id = excluded.attached_by_member_id`,
    [
      tx.workspaceId,
      attachedByMemberId,
      attached.map(({ fileId }) => fileId),
      attached.map(({ memberId }) => memberId),
      attached.map(({ recordId }) => recordId),
    ],
  );
}

/** Each attachment is looked up by itself: a join might read all that there are. */
export async function detachFromRecords(tx: Tx, detached: readonly FileOfRecord[]): Promise<void> {
  if (detached.length === 0) return;
  await FileAttachmentModel.deleteWhere(
    tx,
    `id = any(array(
       select held.id from unnest(?::bigint[], ?::bigint[]) as given (record_id, file_id)
       cross join lateral (select id from file_attachments t
         where t.record_id = given.record_id and t.file_id = given.file_id limit 1) held))`,
    [detached.map(({ recordId }) => recordId), detached.map(({ fileId }) => fileId)],
  );
}

/** Which member may read the files of a record from now on; null: no member. */
export interface ReaderOfRecord {
  recordId: number;
  memberId: number | null;
}

/** Changes who may read the files of records, as far as the giver may read them; others are then read by no member. */
export async function giveFilesOfRecords(
  tx: Tx,
  readers: readonly ReaderOfRecord[],
  giver: FileReader,
): Promise<void> {
  if (readers.length === 0) return;
  const { text, bindings } = fileReadableBy(giver);
  const recordIds = readers.map(({ recordId }) => recordId);
  await prepared(
    tx,
    `update file_attachments held
     set member_id = case when (select true from files where files.id = held.file_id and ${text} limit 1)
       then (?::bigint[])[array_position(?::bigint[], held.record_id)] end
     where held.id = any(array(
       select t.id from unnest(?::bigint[]) as given (record_id)
       cross join lateral (select id from file_attachments t where t.record_id = given.record_id limit ?) t))`,
    [...bindings, readers.map(({ memberId }) => memberId), recordIds, recordIds, maxOfRecord],
  );
}

/** `pinFiles`, without what the files are. */
export async function pinFileIds(tx: Tx, ids: readonly number[], reader: FileReader): Promise<number[]> {
  if (ids.length === 0) return [];
  const { text, bindings } = fileReadableBy(reader);
  const { condition, binding } = idCondition('files.id', ids);
  const readable = `${condition} and ${text} order by files.id for key share of files`;
  const rows = await FileModel.pick(tx, ['id'], readable, [binding, ...bindings]);
  return rows.map(({ id }) => id);
}

/** Returns those of these files that the reader may read, and keeps them from deletion until the transaction ends. */
export async function pinFiles(tx: Tx, ids: readonly number[], reader: FileReader): Promise<FileRow[]> {
  const { text, bindings } = fileReadableBy(reader);
  const readable = `files.id = any(?) and ${text} order by id for key share of files`;
  return FileModel.where(tx, readable, [ids, ...bindings]);
}
