import {
  type DoomedObject,
  doomAbandonedObjects,
  doomExpiredObjects,
  removeDoomedObjects,
  selectDoomedObjects,
} from '../../db/files/collectable-objects.js';
import type { ServiceContext } from '../kernel/context.js';

/** Longer than any upload takes: an object that is pending for longer is of one that was given up. */
const pendingForMs = 24 * 3_600_000;

const batchSize = 1_000;

/** Gives up the uploads of a workspace that never came to an end. From then on, none of them can be stored any more. */
export async function doomAbandoned({ db, clock }: ServiceContext, workspaceId: number): Promise<void> {
  const now = clock.now();
  const before = new Date(now.getTime() - pendingForMs);
  for (let doomed = batchSize; doomed === batchSize; ) {
    doomed = await db.inWorkspace(workspaceId, (tx) =>
      doomAbandonedObjects(tx, { before, now, limit: batchSize }),
    );
  }
}

/** Gives up the objects of a workspace that were to be kept for a time only. */
export async function doomExpired({ db, clock }: ServiceContext, workspaceId: number): Promise<void> {
  const now = clock.now();
  for (let doomed = batchSize; doomed === batchSize; ) {
    doomed = await db.inWorkspace(workspaceId, (tx) => doomExpiredObjects(tx, { now, limit: batchSize }));
  }
}

/** @param without objects whose bytes could not be deleted in this pass */
export function listDoomedObjects(
  { db }: ServiceContext,
  workspaceId: number,
  options: { without: readonly number[]; limit: number },
): Promise<DoomedObject[]> {
  return db.readInWorkspace(workspaceId, (tx) => selectDoomedObjects(tx, options));
}

/** Forgets objects whose bytes are deleted, and gives the bytes back to the workspace's quota. */
export function forgetObjects(
  { db }: ServiceContext,
  workspaceId: number,
  objects: readonly DoomedObject[],
): Promise<{ objects: number; bytes: number }> {
  return db.inWorkspace(workspaceId, (tx) =>
    removeDoomedObjects(
      tx,
      objects.map(({ id }) => id),
    ),
  );
}
