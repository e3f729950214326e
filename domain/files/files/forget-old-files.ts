import { type FileRow, removeFiles } from '../../../db/files/files.js';
import { beforeFiles, lockOldFiles, type OldFile, selectOldFiles } from '../../../db/files/forget-files.js';
import type { Tx } from '../../../db/tx.js';
import type { ServiceContext } from '../../kernel/context.js';
import { fileEvent } from '../../kernel/events/file-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import type { Batch } from '../../kernel/retention.js';

const batchSize = 100;
const dayMs = 24 * 3_600_000;

/**
 * Deletes, among the next private files of a workspace that have not changed for so many days, those that no record and no
 * active assignment has.
 */
export async function forgetOldFiles(
  { db, clock }: ServiceContext,
  workspaceId: number,
  days: number,
  after: OldFile = beforeFiles,
): Promise<Batch<OldFile>> {
  const now = clock.now();
  const before = new Date(now.getTime() - days * dayMs);
  const found = await db.readInWorkspace(workspaceId, (tx) =>
    selectOldFiles(tx, { before, after, limit: batchSize }),
  );
  const ids = found.map(({ id }) => id);
  const deleted = await db.inWorkspace(workspaceId, async (tx) => {
    const files = await lockOldFiles(tx, ids, before);
    await deleteFiles(tx, files, now);
    return files.length;
  });
  return { deleted, next: found.length < batchSize ? undefined : found.at(-1) };
}

/** Deletes locked files, and tells receivers. */
export async function deleteFiles(tx: Tx, files: readonly FileRow[], now: Date): Promise<void> {
  if (files.length === 0) return;
  await removeFiles(
    tx,
    files.map(({ id }) => id),
  );
  await writeEvents(
    tx,
    files.map((file) => fileEvent('deleted', file)),
    now,
  );
}
