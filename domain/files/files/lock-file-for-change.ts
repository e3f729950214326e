import { type FileRow, lockFile } from '../../../db/files/files.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import type { CommandContext } from '../../kernel/context.js';
import { readerOf } from '../../kernel/who-reads.js';
import { NotFound } from '../../lib/errors.js';
import { requireFileChange } from '../file-access.js';

/** Takes the lock of a change of a file, if the caller may read it, within the transaction of `db`. */
export async function lockFileForChange({ db, actor }: CommandContext, fileId: number): Promise<void> {
  await db.inWorkspace(actor.workspaceId, (tx) => lockFile(tx, fileId, readerOf(actor)));
}

/** Locks a file that the actor may change. @throws NotFound, Forbidden */
export async function lockChangeableFile(tx: Tx, actor: Actor, fileId: number): Promise<FileRow> {
  const file = await lockFile(tx, fileId, readerOf(actor));
  if (file === undefined) throw new NotFound('File');
  requireFileChange(actor, file);
  return file;
}
