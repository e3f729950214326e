import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import { type Sql, sql } from '../sql.js';
import { prepared } from '../statement.js';
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
function fileSeenBy({ member, link }: SharedReader): Sql {
  const memberId = member?.memberId ?? null;
  return sql`(files.access = 'public' or ${member?.readsAll ?? false}::boolean
    or (${member?.readsWorkspace ?? false}::boolean and files.access = 'workspace')
    or files.owner_member_id = ${memberId}::bigint
    or exists (select from file_attachments attached
      where attached.file_id = files.id and attached.member_id = ${memberId}::bigint)
    or files.id = ${link?.fileId ?? null}::bigint
    or (files.folder_id = ${link?.folderId ?? null}::bigint
      and (files.access <> 'private' or files.owner_member_id = ${link?.createdByMemberId ?? null}::bigint)))`;
}

/** Returns the file if the reader may see it. The statement is the same for every caller and every file. */
export async function findSharedFile(
  tx: EnteredTx,
  id: number,
  reader: SharedReader,
): Promise<FileRow | undefined> {
  const seen = fileSeenBy(reader);
  const text = `select ${FileModel.columns} from files where files.id = ? and ${seen.text}`;
  const [row] = await prepared<FileRow>(tx, text, [id, ...seen.bindings]);
  return row;
}

/** Returns the folder if the reader may see it. */
export async function findSharedFolder(
  tx: EnteredTx,
  id: number,
  { member, link }: SharedReader,
): Promise<FolderRow | undefined> {
  const memberId = member?.memberId ?? null;
  const [row] = await prepared<FolderRow>(
    tx,
    `select ${FolderModel.columns} from folders
     where folders.id = ? and (folders.access = 'public' or ?::boolean
       or (?::boolean and folders.access = 'workspace')
       or folders.owner_member_id = ?::bigint or folders.id = ?::bigint)`,
    [id, member?.readsAll ?? false, member?.readsWorkspace ?? false, memberId, link?.folderId ?? null],
  );
  return row;
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
