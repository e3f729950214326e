import type { Sql } from '../sql.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { FileModel, type FileRow } from './models/file.js';

/** The chat that files are sent into, with its member. */
export interface Sendable {
  memberId: number;
  chatId: number;
  /** Null without an assignment. */
  assignmentId: number | null;
  /** Whether what every member may see may be sent there; else only what is public. */
  readsWorkspace: boolean;
}

/** The condition that an attachment is to the chat or its assignment, for the member. */
function attachedThere({ memberId, chatId, assignmentId }: Sendable): Sql {
  const text = 'attached.member_id = ? and (attached.chat_id = ? or attached.assignment_id = ?::bigint)';
  return { text, bindings: [memberId, chatId, assignmentId] };
}

/** Returns those of these files that may be sent into the chat, and keeps them from deletion until the transaction ends. */
export async function pinSendableFiles(tx: Tx, within: Sendable, ids: readonly number[]): Promise<FileRow[]> {
  const { text, bindings } = attachedThere(within);
  return FileModel.where(
    tx,
    `files.id = any(?) and (files.access = 'public' or (?::boolean and files.access = 'workspace')
       or exists (select from file_attachments attached where attached.file_id = files.id and ${text}))
     order by id for key share of files`,
    [ids, within.readsWorkspace, ...bindings],
  );
}

/** How many files of the folders are looked at: a list for a model needs no complete order. */
const maxOfFolders = 1_000;

/** Lists files that may be sent into the chat: the newest that are attached there, then those of the folders, by title. */
export async function selectFilesToOffer(
  tx: Tx,
  within: Sendable,
  { folderIds, limit }: { folderIds: readonly number[]; limit: number },
): Promise<Pick<FileRow, 'id' | 'title' | 'mimeType'>[]> {
  const { text, bindings } = attachedThere(within);
  return prepared(
    tx,
    `with attached as materialized (
       select attached.file_id as id, max(attached.id) as latest from file_attachments attached where ${text}
       group by attached.file_id order by latest desc limit ?
     ), in_folders as materialized (
       select files.id, files.access from files where files.folder_id = any(?) limit ?
     )
     select files.id, files.title, files.mime_type as "mimeType"
     from files left join attached on attached.id = files.id
     where files.id = any(array(select id from attached union select id from in_folders
       where access = 'public' or (?::boolean and access = 'workspace')))
     order by attached.latest desc nulls last, files.title, files.id limit ?`,
    [...bindings, limit, folderIds, maxOfFolders, within.readsWorkspace, limit],
  );
}
