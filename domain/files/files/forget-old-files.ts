import type { Tx } from '../../../db/database.js';
import { type FileRow, removeFiles } from '../../../db/files/files.js';
import { beforeFiles, lockOldFiles, type OldFile, selectOldFiles } from '../../../db/files/forget-files.js';
import type { ServiceContext } from '../../kernel/context.js';
import { fileEvent } from '../../kernel/events/file-events.js';
import { writeEvents } from '../../kernel/events/write-events.js';
import type { RetentionSlice } from '../../kernel/retention-slice.js';

const batchSize = 100;
const dayMs = 24 * 3_600_000;

/**
 * Deletes the private files of a workspace that have not changed for so many days, unless a record or an active
 * assignment has them. Each batch is a transaction of its own. @returns how many
 */
export async function forgetOldFiles(
  { db, clock }: ServiceContext,
  workspaceId: number,
  days: number,
  slice: RetentionSlice,
): Promise<number> {
  const now = clock.now();
  const before = new Date(now.getTime() - days * dayMs);
  let forgotten = 0;
  for (let after: OldFile | undefined = beforeFiles; after !== undefined && !slice.isOver(); ) {
    const from: OldFile = after;
    const found = await db.readInWorkspace(workspaceId, (tx) =>
      selectOldFiles(tx, { before, after: from, limit: batchSize }),
    );
    const ids = found.map(({ id }) => id);
    forgotten += await db.inWorkspace(workspaceId, async (tx) => {
      const files = await lockOldFiles(tx, ids, before);
      await deleteFiles(tx, files, now);
      return files.length;
    });
    slice.onBatch();
    after = found.length < batchSize ? undefined : found.at(-1);
  }
  return forgotten;
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
