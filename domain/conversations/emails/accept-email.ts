import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  countKept,
  countUnread,
  findInboundEmailByDigest,
  insertInboundEmail,
  type NewInboundEmail,
  releaseKept,
} from '../../../db/channels/inbound-emails.js';
import type { InboxRow } from '../../../db/channels/inboxes.js';
import { doomPendingObject, markObjectStored } from '../../../db/files/stored-objects.js';
import { provedSender } from '../../channels/email/inbound/authentication-results.js';
import { beginDigest } from '../../channels/email/inbound/content-digest.js';
import { fromAddress } from '../../channels/email/inbound/from-address.js';
import { maxHeaderBytes, readHeader } from '../../channels/email/inbound/headers.js';
import { objectKey, PutUnknown, type SpooledBytes } from '../../files/object-store.js';
import type { FileStorage } from '../../files/objects/file-storage.js';
import { reserveObject } from '../../files/objects/reserve-object.js';
import type { ServiceContext } from '../../kernel/context.js';
import { startReceivingRun } from '../../kernel/runs.js';
import { Conflict, Unavailable } from '../../lib/errors.js';

/** The inbox to which a mail is handed in, by a caller who knows its secret. */
export interface InboxContext extends ServiceContext {
  workspaceId: number;
  workspaceUuid: string;
  inbox: InboxRow;
}

export const mailType = 'message/rfc822';
/** Most servers take no larger ones. */
export const maxMailBytes = 25 * 1_048_576;
/** How many mails of an inbox may wait for their runs. Mail servers keep what is refused meanwhile, and try again. */
export const maxUnread = 500;
/**
 * What the workspace keeps at most of mails that somebody may have to look at: how many, and which part of its quota.
 * Anybody can send mail, so that it must not use up the room for files; and what nobody vouches for must not use up the
 * room for other mail.
 */
const kept = { mails: 10_000, shares: { proved: 0.2, unproved: 0.1 }, releasedAtOnce: 100 } as const;
/** How long mails are kept that nobody waits for, with their bytes. */
export const keptMs = 30 * 24 * 3_600_000;

/** A mail whose bytes are in the storage, or a copy of one that was accepted before. */
export type StoredMail =
  | (Pick<NewInboundEmail, 'digest' | 'bytes' | 'fromAddress' | 'proved'> & { objectId: number })
  | { acceptedUuid: string };

/**
 * Puts the bytes of a mail into the storage, before the transaction that accepts it.
 * @throws Unavailable while too many mails wait, the workspace has no room, or the storage cannot be used
 */
export async function storeMail(
  context: InboxContext,
  { objects, bytesPerWorkspace }: FileStorage,
  spooled: SpooledBytes,
): Promise<StoredMail> {
  const { db, inbox, workspaceId, workspaceUuid } = context;
  const { digest, ...sender } = await look(spooled.path, inbox.authservId);
  const { proved } = sender;
  const known = await db.readInWorkspace(workspaceId, async (tx) => ({
    copy: await findInboundEmailByDigest(tx, inbox.id, digest),
    unread: await countUnread(tx, inbox.id, maxUnread),
    kept: await countKept(tx, { proved, most: kept.mails }),
  }));
  if (known.copy !== undefined) return { acceptedUuid: known.copy.uuid };
  if (known.unread >= maxUnread) {
    throw new Unavailable('Too many mails of the inbox wait to be read.', 60, 'too_many_mails');
  }
  const { bytes, sha256 } = spooled;
  const share = bytesPerWorkspace * kept.shares[proved ? 'proved' : 'unproved'];
  // Anybody can send mail: the oldest gives way, so that nobody keeps others from being heard.
  if (known.kept.count >= kept.mails || known.kept.bytes + bytes > share) {
    await db.inWorkspace(workspaceId, (tx) => releaseKept(tx, { proved, limit: kept.releasedAtOnce }));
  }
  const object = await reserveObject(context, workspaceId, {
    object: { bytes, sha256: Buffer.from(sha256, 'hex'), mimeType: mailType, createdByMemberId: null },
    quota: bytesPerWorkspace,
  }).catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
    throw noRoom();
  });
  await objects
    .put(objectKey(workspaceUuid, object.uuid), spooled, { mimeType: mailType })
    .catch(async (error: unknown) => {
      const storedNothing = error instanceof Unavailable && !(error instanceof PutUnknown);
      if (storedNothing) await dropMail(context, { objectId: object.id }).catch(() => {});
      throw error;
    });
  return { objectId: object.id, digest, bytes, ...sender };
}

/** A mail server that is refused for now keeps the mail, and somebody can make room meanwhile. */
function noRoom(): Unavailable {
  return new Unavailable('The workspace has no room for the mail.', 900, 'no_room_for_mail');
}

/** Gives the bytes back of a mail that was not accepted. Otherwise does nothing. */
export async function dropMail(
  { db, clock, workspaceId }: Pick<InboxContext, 'db' | 'clock' | 'workspaceId'>,
  stored: StoredMail | { objectId: number },
): Promise<void> {
  if (!('objectId' in stored)) return;
  await db.inWorkspace(workspaceId, (tx) => doomPendingObject(tx, stored.objectId, clock.now()));
}

/** Accepts a mail, once for all its copies, and starts the run that receives it. @returns its uuid, or that of the copy */
export async function acceptMail(context: InboxContext, stored: StoredMail): Promise<{ uuid: string }> {
  if ('acceptedUuid' in stored) return { uuid: stored.acceptedUuid };
  const { db, clock, inbox } = context;
  const now = clock.now();
  return db.inWorkspace(context.workspaceId, async (tx) => {
    const accepted = await insertInboundEmail(tx, { ...stored, inboxId: inbox.id, receivedAt: now });
    if (accepted === undefined) {
      const copy = await findInboundEmailByDigest(tx, inbox.id, stored.digest);
      if (copy === undefined) throw new Error('the copy of a mail was deleted as it was found');
      await doomPendingObject(tx, stored.objectId, now);
      return { uuid: copy.uuid };
    }
    if ((await markObjectStored(tx, stored.objectId, now)) === undefined) {
      throw new Error('the bytes of a mail were collected before it was accepted');
    }
    await startReceivingRun(tx, accepted);
    return { uuid: accepted.uuid };
  });
}

/** The beginning of a mail, which has its header unless that is too large to be one. */
export async function headOfMail(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(maxHeaderBytes + 2);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The sender of a mail, and the digest by which copies are recognised: of all bytes, where there is no header. */
async function look(path: string, authservId: string | null) {
  const header = readHeader(await headOfMail(path));
  const provedBy = header === undefined ? null : provedSender(header, authservId);
  const digest = beginDigest(header?.fields ?? [], provedBy);
  for await (const piece of createReadStream(path, { start: header?.bodyAt ?? 0 })) digest.update(piece);
  const from = header === undefined ? null : fromAddress(header.fields);
  return { digest: digest.digest(), fromAddress: from, proved: provedBy !== null };
}
