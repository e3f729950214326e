import {
  countMailedByStrangers,
  countMailedBytes,
  countUploadsOfMember,
  insertObject,
  type NewObject,
  reserveBytes,
  type StoredObjectRow,
} from '../../../db/files/stored-objects.js';
import type { Tx } from '../../../db/tx.js';
import type { ServiceContext } from '../../kernel/context.js';
import { StorageFull, TooManyRequests } from '../../lib/errors.js';
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
 * @throws StorageFull, TooManyRequests `too_many_uploads`
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
      throw new StorageFull('workspace', most);
    }
    if (object.mailedBy != null) await checkRoomForMail(tx, object, quota, now);
    if (object.createdByMemberId !== null) {
      const since = new Date(now.getTime() - fileLimits.uploadWindowMs);
      const uploads = await countUploadsOfMember(tx, object.createdByMemberId, since);
      if (uploads.underWay >= fileLimits.uploadsOfMember) {
        const message = `A member has at most ${fileLimits.uploadsOfMember} uploads under way.`;
        throw new TooManyRequests(message, 30, 'too_many_uploads');
      }
      if (quotaOfMember !== undefined && uploads.bytes + object.bytes > quotaOfMember) {
        const most = `The files that a member uploads may have ${quotaOfMember} bytes in all.`;
        throw new StorageFull('member', most);
      }
    }
    return insertObject(tx, object, now);
  });
}

/**
 * The bytes of senders who are not known are not counted with those of members, so that they cannot keep out what members
 * send. @throws StorageFull
 */
async function checkRoomForMail(
  tx: Tx,
  { bytes, mailedBy, mailedDomain = null }: NewObject,
  quota: number,
  now: Date,
): Promise<void> {
  const { all, ofStrangers } = await countMailedBytes(tx);
  if (mailedBy === 'member') {
    if (all - ofStrangers + bytes <= quota * fileLimits.shareOfMail) return;
    throw new StorageFull('emails', 'Attachments of emails have as many bytes as allowed.');
  }
  const { sharesOfStrangers: shares, strangersWindowMs, filesOfStrangers: most } = fileLimits;
  const since = new Date(now.getTime() - strangersWindowMs);
  const lately = await countMailedByStrangers(tx, { since, domain: mailedDomain, most });
  const hasRoom =
    ofStrangers + bytes <= quota * shares.all &&
    lately.files < most &&
    lately.bytes + bytes <= quota * shares.lately &&
    lately.bytesOfDomain + bytes <= quota * shares.ofDomain;
  if (hasRoom) return;
  const message = 'Attachments of senders who are not known have as many bytes as allowed.';
  throw new StorageFull('unknown_senders', message);
}
