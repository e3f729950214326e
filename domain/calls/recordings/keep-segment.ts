import { insertRecordingSegment, shareRecording } from '../../../db/calls/call-recordings.js';
import {
  doomPendingObject,
  markObjectStored,
  type StoredObjectRow,
} from '../../../db/files/stored-objects.js';
import { reserveObject } from '../../files/objects/reserve-object.js';
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
export function reserveSegment(
  context: ServiceContext,
  workspaceId: number,
  { bytes, sha256 }: { bytes: number; sha256: string },
): Promise<StoredObjectRow> {
  const object = {
    bytes,
    sha256: Buffer.from(sha256, 'hex'),
    mimeType: segmentType,
    createdByMemberId: null,
  };
  return reserveObject(context, workspaceId, { object, quota: Number.MAX_SAFE_INTEGER });
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
  return db.inWorkspace(workspaceId, async (tx) => {
    const isThere = await shareRecording(tx, segment.recordingId);
    if (isThere && (await insertRecordingSegment(tx, { ...segment, objectId }))) {
      if ((await markObjectStored(tx, objectId, now)) !== undefined) return true;
      throw new Error('the object of a segment was given up');
    }
    // The object of a segment that was kept before is not pending any more.
    await doomPendingObject(tx, objectId, now);
    return isThere;
  });
}
