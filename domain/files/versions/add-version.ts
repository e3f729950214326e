import { countVersionsOfFile } from '../../../db/files/file-versions.js';
import { type FileRow, insertVersion, type VersionContent } from '../../../db/files/files.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import type { CommandContext } from '../../kernel/context.js';
import { fileEvent } from '../../kernel/events/file-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import { Conflict } from '../../lib/errors.js';
import { lockChangeableFile } from '../files/lock-file-for-change.js';
import { beginIndexing } from '../indexing/begin-indexing.js';
import { fileLimits } from '../limits.js';
import { requireVersion, type VersionView, viewVersion } from './file-versions.js';
import { keepObject } from './store-upload.js';

/**
 * Adds an upload that `storeUpload` has put into the storage to a file, as its current version.
 * @throws NotFound, Forbidden, Conflict `too_many_versions`
 */
export async function addFileVersion(
  { db, actor, clock }: CommandContext,
  fileId: number,
  content: VersionContent,
): Promise<VersionView> {
  const now = clock.now();
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const file = await lockChangeableFile(tx, actor, fileId);
    await keepObject(tx, content, now);
    return appendVersion(tx, actor, file, content, now);
  });
}

/**
 * Makes an earlier version the current one again, as a new version with the same bytes, which are stored once.
 * @throws NotFound, Forbidden, Conflict `too_many_versions`
 */
export async function restoreFileVersion(
  { db, actor, clock }: CommandContext,
  fileId: number,
  number: number,
): Promise<VersionView> {
  const now = clock.now();
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const file = await lockChangeableFile(tx, actor, fileId);
    const { objectId, filename, mimeType, kind, fileSize } = await requireVersion(tx, file.id, number);
    return appendVersion(tx, actor, file, { objectId, filename, mimeType, kind, fileSize }, now);
  });
}

async function appendVersion(
  tx: Tx,
  actor: Actor,
  file: FileRow,
  content: VersionContent,
  now: Date,
): Promise<VersionView> {
  if ((await countVersionsOfFile(tx, file.id)) >= fileLimits.versionsOfFile) {
    throw new Conflict('too_many_versions', `A file has at most ${fileLimits.versionsOfFile} versions.`);
  }
  const added = await insertVersion(tx, file, content, { byMemberId: actor.memberId, now });
  const indexing = await beginIndexing(tx, added.version.id);
  await writeEvents(tx, [fileEvent('updated', added.file)], now);
  return viewVersion({ ...added.version, ...indexing }, added.file);
}
