import {
  type DoomedObject,
  type DoomedPlace,
  doomAbandonedObjects,
  doomExpiredObjects,
  removeDoomedObjects,
  selectDoomedObjects,
} from '../../db/files/collectable-objects.js';
import type { ServiceContext } from '../kernel/context.js';
import { type Batch, batchOf } from '../kernel/retention.js';

/** Longer than any upload takes: an object that is pending for longer is of one that was given up. */
const pendingForMs = 24 * 3_600_000;

const batchSize = 1_000;

/** The lists of `workspacesDue` that have objects to collect. */
export function collectableAt(now: Date): Record<string, Date> {
  return { doomed_objects: now, abandoned_objects: abandonedBefore(now), expired_objects: now };
}

function abandonedBefore(now: Date): Date {
  return new Date(now.getTime() - pendingForMs);
}

/** Gives up a batch of the uploads of a workspace that never came to an end. From then on, none of them can be stored any more. */
export async function doomAbandoned({ db, clock }: ServiceContext, workspaceId: number): Promise<Batch> {
  const now = clock.now();
  const ages = { before: abandonedBefore(now), now, limit: batchSize };
  return batchOf(await db.inWorkspace(workspaceId, (tx) => doomAbandonedObjects(tx, ages)), batchSize);
}

/** Gives up a batch of the objects of a workspace that were to be kept for a time only. */
export async function doomExpired({ db, clock }: ServiceContext, workspaceId: number): Promise<Batch> {
  const expired = { now: clock.now(), limit: batchSize };
  return batchOf(await db.inWorkspace(workspaceId, (tx) => doomExpiredObjects(tx, expired)), batchSize);
}

/** @param after the last one that was looked at */
export function listDoomedObjects(
  { db }: ServiceContext,
  workspaceId: number,
  options: { after: DoomedPlace; limit: number },
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
