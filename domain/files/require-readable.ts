import { type FileRow, findFile } from '../../db/files/files.js';
import { type FolderRow, findFolder } from '../../db/files/folders.js';
import type { Tx } from '../../db/tx.js';
import type { Actor } from '../kernel/actor.js';
import { readerOf } from '../kernel/who-reads.js';
import { NotFound } from '../lib/errors.js';

/** @throws NotFound */
export async function requireReadableFile(tx: Tx, actor: Actor, fileId: number): Promise<FileRow> {
  const file = await findFile(tx, fileId, readerOf(actor));
  if (file === undefined) throw new NotFound('File');
  return file;
}

/** @throws NotFound */
export async function requireReadableFolder(tx: Tx, actor: Actor, folderId: number): Promise<FolderRow> {
  const folder = await findFolder(tx, folderId, readerOf(actor));
  if (folder === undefined) throw new NotFound('Folder');
  return folder;
}
