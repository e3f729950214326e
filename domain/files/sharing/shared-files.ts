import { countShareUse, type FileShareRow, findShareInForce } from '../../../db/files/file-shares.js';
import { findFileVersion, findVersionBytes, type VersionBytes } from '../../../db/files/file-versions.js';
import type { FileRow } from '../../../db/files/files.js';
import type { FolderRow } from '../../../db/files/folders.js';
import {
  findSharedFile,
  findSharedFolder,
  type SharedReader,
  selectSharedFiles,
} from '../../../db/files/shared-files.js';
import type { EnteredTx, Tx } from '../../../db/tx.js';
import type { ServiceContext, VisitContext } from '../../kernel/context.js';
import { readerOf } from '../../kernel/who-reads.js';
import { NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { hashShareToken, isWellFormedShareToken } from '../shares/share-token.js';

type Page = Pick<PageRequest, 'page' | 'pageSize'>;

/** Returns a file that is public, that the member may read, or that the link is to. @throws NotFound */
export async function getSharedFile(
  context: VisitContext,
  fileId: number,
  token: string | undefined,
): Promise<FileRow> {
  return asReader(context, token, async (tx, reader) => {
    const file = await requireSharedFile(tx, fileId, reader);
    return { result: file, shown: file };
  });
}

/** The bytes of such a file. @throws NotFound */
export async function getSharedFileContent(
  context: VisitContext,
  fileId: number,
  token: string | undefined,
): Promise<{ file: FileRow; content: VersionBytes }> {
  return asReader(context, token, async (tx, reader) => {
    const file = await requireSharedFile(tx, fileId, reader);
    const content = (await findVersionBytes(tx, [file.currentVersionId])).get(file.currentVersionId);
    if (content === undefined) throw new NotFound('File');
    return { result: { file, content }, shown: file };
  });
}

/** Returns such a folder, and a page of those of its files that the caller may see. @throws NotFound */
export async function getSharedFolder(
  context: VisitContext,
  folderId: number,
  { token, page }: { token: string | undefined; page: Page },
): Promise<{ folder: FolderRow; files: PageOf<FileRow> }> {
  return asReader(context, token, async (tx, reader) => {
    const folder = await findSharedFolder(tx, folderId, reader);
    if (folder === undefined) throw new NotFound('Folder');
    const files = await selectSharedFiles(tx, folder.id, page, reader);
    return { result: { folder, files }, shown: { folderId: folder.id } };
  });
}

/** Returns the bytes that a signed address of the service is for. @throws NotFound */
export async function getSignedContent(
  { db }: ServiceContext,
  workspaceUuid: string,
  { fileId, version }: { fileId: number; version: number },
): Promise<VersionBytes> {
  const workspace = await db.identity.workspaces.findByUuid(workspaceUuid);
  if (workspace === undefined) throw new NotFound('File');
  return db.readInWorkspace(workspace.id, async (tx) => {
    const found = await findFileVersion(tx, fileId, version);
    const content = found && (await findVersionBytes(tx, [found.id])).get(found.id);
    if (content === undefined) throw new NotFound('File');
    return content;
  });
}

async function requireSharedFile(tx: EnteredTx, fileId: number, reader: SharedReader): Promise<FileRow> {
  const file = await findSharedFile(tx, fileId, reader);
  if (file === undefined) throw new NotFound('File');
  return file;
}

/** What was read, and what it is of: links to that count a use. */
interface Reading<Result> {
  result: Result;
  shown: { id?: number; folderId: number | null };
}

/** Reads as the member or visitor, and with the link if its token is in force. */
async function asReader<Result>(
  { db, clock, workspaceId, actor }: VisitContext,
  token: string | undefined,
  read: (tx: Tx, reader: SharedReader) => Promise<Reading<Result>>,
): Promise<Result> {
  const now = clock.now();
  const hash = token !== undefined && isWellFormedShareToken(token) ? hashShareToken(token) : undefined;
  let link: FileShareRow | undefined;
  const { result, shown } = await db.readInWorkspace(workspaceId, async (tx) => {
    link = hash && (await findShareInForce(tx, hash, now));
    return read(tx, { member: actor && readerOf(actor), link });
  });
  if (link !== undefined && isOf(link, shown)) {
    const { id } = link;
    await db.inWorkspace(workspaceId, (tx) => countShareUse(tx, id, now));
  }
  return result;
}

function isOf(link: FileShareRow, { id, folderId }: Reading<unknown>['shown']): boolean {
  return link.fileId === null ? link.folderId === folderId : link.fileId === id;
}
