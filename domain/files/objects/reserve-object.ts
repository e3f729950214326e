import type { Tx } from '../../../db/database.js';
import {
  countMailedBytes,
  countUploadsOfMember,
  insertObject,
  type NewObject,
  reserveBytes,
  type StoredObjectRow,
} from '../../../db/files/stored-objects.js';
import type { ServiceContext } from '../../kernel/context.js';
import { Conflict, TooManyRequests } from '../../lib/errors.js';
import { fileLimits } from '../limits.js';

export interface Reservation {
  object: NewObject;
  /** How many bytes the files of a workspace may have. */
  quota: number;
  /** How many of them the member who uploads may use up; undefined: all. */
  quotaOfMember?: number;
}

/**
 * Stores that an object is about to be put into the storage, and reserves its bytes, in a transaction of its own. If
 * nothing comes of it, the collector of pending objects deletes what there is
 * (docs/decisions/0110-files-versions-bytes-and-rows.md).
 * @throws Conflict `storage_full`, TooManyRequests `too_many_uploads`
 */
export async function reserveObject(
  { db, clock }: ServiceContext,
  workspaceId: number,
  { object, quota, quotaOfMember }: Reservation,
): Promise<StoredObjectRow> {
  const now = clock.now();
  return db.inWorkspace(workspaceId, async (tx) => {
    // Its row lock makes the uploads of a workspace take turns, so that the counts below are exact.
    if (!(await reserveBytes(tx, object.bytes, quota))) {
      const most = `The files of the workspace may have ${quota} bytes in all. Delete some to upload others.`;
      throw new Conflict('storage_full', most);
    }
    const { mailedBy = null } = object;
    if (mailedBy !== null && !(await hasRoomForMail(tx, { ...object, mailedBy }, quota))) {
      throw new Conflict('storage_full', 'Attachments of mails have as many bytes as allowed.');
    }
    if (object.createdByMemberId !== null) {
      const since = new Date(now.getTime() - fileLimits.uploadWindowMs);
      const uploads = await countUploadsOfMember(tx, object.createdByMemberId, since);
      if (uploads.underWay >= fileLimits.uploadsOfMember) {
        const message = `A member has at most ${fileLimits.uploadsOfMember} uploads under way.`;
        throw new TooManyRequests(message, 30, 'too_many_uploads');
      }
      if (quotaOfMember !== undefined && uploads.bytes + object.bytes > quotaOfMember) {
        const most = `The files that a member uploads may have ${quotaOfMember} bytes in all.`;
        throw new Conflict('storage_full', most);
      }
    }
    return insertObject(tx, object, now);
  });
}

async function hasRoomForMail(
  tx: Tx,
  { bytes, mailedBy }: { bytes: number; mailedBy: 'member' | 'stranger' },
  quota: number,
): Promise<boolean> {
  const { all, ofStrangers } = await countMailedBytes(tx);
  if (all + bytes > quota * fileLimits.shareOfMail) return false;
  return mailedBy === 'member' || ofStrangers + bytes <= quota * fileLimits.shareOfStrangers;
}
