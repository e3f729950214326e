import { findRecordingSegment, storeRecordingSegment } from '../../../db/calls/call-recordings.js';
import {
  doomPendingObject,
  insertObject,
  reserveBytes,
  type StoredObjectRow,
} from '../../../db/files/stored-objects.js';
import type { ServiceContext } from '../../kernel/context.js';

export const segmentType = 'application/octet-stream';

/** The recording that a segment belongs to, and its place in it. */
export interface SegmentPlace {
  workspaceId: number;
  recordingId: number;
  attempt: number;
  number: number;
  startFrame: number;
  frames: number;
}

/**
 * Reserves the object of a segment before its bytes are put into the storage. Recordings count among the bytes of the
 * workspace, and are kept beyond its quota: a call cannot be repeated.
 */
export async function reserveSegment(
  { db, clock }: ServiceContext,
  workspaceId: number,
  { bytes, sha256 }: { bytes: number; sha256: string },
): Promise<StoredObjectRow> {
  const hash = Buffer.from(sha256, 'hex');
  const object = { bytes, sha256: hash, mimeType: segmentType, createdByMemberId: null };
  const [, reserved] = await db.inOneStatement(workspaceId, (tx) =>
    Promise.all([reserveBytes(tx, bytes, Number.MAX_SAFE_INTEGER), insertObject(tx, object, clock.now())]),
  );
  return reserved;
}

/**
 * Makes a segment, whose bytes are in the storage, a part of its recording. May be repeated.
 * @returns false if there is no such recording any more: the object is doomed
 */
export async function keepSegment(
  { db, clock }: ServiceContext,
  { workspaceId, ...segment }: SegmentPlace,
  objectId: number,
): Promise<boolean> {
  const now = clock.now();
  const isKept = await db.inOneStatement(workspaceId, (tx) =>
    storeRecordingSegment(tx, { ...segment, objectId }, now),
  );
  if (isKept) return true;
  return db.inWorkspace(workspaceId, async (tx) => {
    const recording = await findRecordingSegment(tx, segment);
    if (recording?.hasSegment === false) throw new Error('the object of a segment was given up');
    // The object of a segment that was kept before is not pending any more.
    await doomPendingObject(tx, objectId, now);
    return recording !== undefined;
  });
}
