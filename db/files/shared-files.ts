import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import type { Sql } from '../sql.js';
import type { EnteredTx, Tx } from '../tx.js';
import { FileModel, type FileRow } from './models/file.js';
import type { FileShareRow } from './models/file-share.js';
import { FolderModel, type FolderRow } from './models/folder.js';
import type { FileReader } from './readable-files.js';

/** Who reads at the sharing endpoints. */
export interface SharedReader {
  /** Undefined: a visitor. */
  member: FileReader | undefined;
  /** The link whose token the caller has. */
  link: Pick<FileShareRow, 'fileId' | 'folderId' | 'createdByMemberId'> | undefined;
}

/** A link to a folder never shows what its creator could not have shown: private files of others. */
const fileSeen = `(files.access = 'public' or ?::boolean
    or (?::boolean and files.access = 'workspace')
    or files.owner_member_id = ?::bigint
    or exists (select from file_attachments attached
      where attached.file_id = files.id and attached.member_id = ?::bigint)
    or files.id = ?::bigint
    or (files.folder_id = ?::bigint
      and (files.access <> 'private' or files.owner_member_id = ?::bigint)))`;

function fileSeenBy({ member, link }: SharedReader): Sql {
  const { memberId = null, readsAll = false, readsWorkspace = false } = member ?? {};
  const { fileId = null, folderId = null, createdByMemberId = null } = link ?? {};
  const bindings = [readsAll, readsWorkspace, memberId, memberId, fileId, folderId, createdByMemberId];
  return { text: fileSeen, bindings };
}

/** Returns the file if the reader may see it. The statement is the same for every caller and every file. */
export async function findSharedFile(
  tx: EnteredTx,
  id: number,
  reader: SharedReader,
): Promise<FileRow | undefined> {
  const seen = fileSeenBy(reader);
  return FileModel.first(tx, `files.id = ? and ${seen.text}`, [id, ...seen.bindings]);
}

/** Returns the folder if the reader may see it. */
export async function findSharedFolder(
  tx: EnteredTx,
  id: number,
  { member, link }: SharedReader,
): Promise<FolderRow | undefined> {
  const { memberId = null, readsAll = false, readsWorkspace = false } = member ?? {};
  return FolderModel.first(
    tx,
    `folders.id = ? and (folders.access = 'public' or ?::boolean
       or (?::boolean and folders.access = 'workspace')
       or folders.owner_member_id = ?::bigint or folders.id = ?::bigint)`,
    [id, readsAll, readsWorkspace, memberId, link?.folderId ?? null],
  );
}

/** Reads a page of the files directly in a folder that the reader may see, by title. */
export async function selectSharedFiles(
  tx: Tx,
  folderId: number,
  page: Pick<PageRequest, 'page' | 'pageSize'>,
  reader: SharedReader,
): Promise<PageOf<FileRow>> {
  const seen = fileSeenBy(reader);
  const query = FileModel.query(tx)
    .where({ folder_id: folderId })
    .whereRaw(seen.text, [...seen.bindings] as number[]);
  const found = await readPage(query, { ...page, sortOrder: 'asc' }, 'title', 'id');
  return { ...found, items: found.items.map(toRow) };
}
