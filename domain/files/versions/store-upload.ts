import type { VersionContent } from '../../../db/files/files.js';
import { doomPendingObject, markObjectStored } from '../../../db/files/stored-objects.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, Unavailable, UnsupportedFile } from '../../lib/errors.js';
import { filenameOf } from '../filename.js';
import { acceptedKinds } from '../kinds/accepted-mime-types.js';
import { withSourceOfFile } from '../kinds/file-source.js';
import { recognizeKind } from '../kinds/recognize-kind.js';
import { fileLimits } from '../limits.js';
import { objectKey, PutUnknown, type SpooledBytes } from '../object-store.js';
import type { FileStorage } from '../objects/file-storage.js';
import { reserveObject } from '../objects/reserve-object.js';

export interface Upload {
  spooled: SpooledBytes;
  /** As the sender wrote it. */
  name: string | null;
}

/**
 * Puts uploaded bytes into the storage, before the transaction that makes a version of them: until then the object is
 * pending, and is collected if no version comes.
 * @throws UnsupportedFile, InvalidInput, Conflict `storage_full`, TooManyRequests, Unavailable
 */
export async function storeUpload(
  context: CommandContext,
  { objects, bytesPerWorkspace }: FileStorage,
  { spooled, name }: Upload,
): Promise<VersionContent> {
  const { actor } = context;
  if (spooled.bytes === 0) throw InvalidInput.field('/file', 'is empty');
  const filename = filenameOf(name);
  const recognized = await withSourceOfFile(spooled.path, (source) => recognizeKind(source, filename));
  if (recognized === undefined) {
    throw new UnsupportedFile('unsupported_file_kind', `Files that can be uploaded are: ${acceptedKinds}.`);
  }
  const { mimeType, kind } = recognized;
  const object = await reserveObject(context, actor.workspaceId, {
    object: {
      bytes: spooled.bytes,
      sha256: Buffer.from(spooled.sha256, 'hex'),
      mimeType,
      createdByMemberId: actor.memberId,
    },
    quota: bytesPerWorkspace,
    ...(actor.can('files:write')
      ? {}
      : { quotaOfMember: Math.floor(bytesPerWorkspace * fileLimits.shareOfMember) }),
  });
  const content = { objectId: object.id, filename, mimeType, kind, fileSize: spooled.bytes };
  await objects
    .put(objectKey(actor.workspaceUuid, object.uuid), spooled, { mimeType })
    .catch(async (error) => {
      const storedNothing = error instanceof Unavailable && !(error instanceof PutUnknown);
      // Without the database, the collector drops it later.
      if (storedNothing) await dropUpload(context, content).catch(() => {});
      throw error;
    });
  return content;
}

/** Dooms the object of an upload that no version was made of, so that its bytes and its quota are soon free. Otherwise does nothing. */
export async function dropUpload(
  { db, clock, actor }: CommandContext,
  { objectId }: VersionContent,
): Promise<void> {
  await db.inWorkspace(actor.workspaceId, (tx) => doomPendingObject(tx, objectId, clock.now()));
}

/** Marks the object of a new version as stored, in the transaction that inserts the version. */
export async function keepObject(tx: Tx, { objectId }: VersionContent, now: Date): Promise<void> {
  if ((await markObjectStored(tx, objectId, now)) === undefined) {
    throw new Error('the object of an upload was collected before its version was stored');
  }
}
