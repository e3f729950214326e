import { createHash } from 'node:crypto';
import type { MessageFile } from '../../../db/conversations/messages.js';
import type { VersionContent } from '../../../db/files/files.js';
import { doomPendingObject, type NewObject } from '../../../db/files/stored-objects.js';
import type { MailAttachment } from '../../channels/email/inbound/mail-content.js';
import type { MediaFailure } from '../../files/attachments/limits.js';
import { filenameOf } from '../../files/filename.js';
import { withSourceOfFile } from '../../files/kinds/file-source.js';
import { recognizeKind } from '../../files/kinds/recognize-kind.js';
import { fileLimits } from '../../files/limits.js';
import { objectKey, type SpooledBytes } from '../../files/object-store.js';
import type { FileStorage } from '../../files/objects/file-storage.js';
import { reserveObject } from '../../files/objects/reserve-object.js';
import type { ServiceContext } from '../../kernel/context.js';
import { type FullShare, StorageFull } from '../../lib/errors.js';
import { unrecognizedType } from '../media/keep-media.js';

/** An attachment whose bytes are in the storage, or why they are not kept. */
export type KeptAttachment = { content: VersionContent } | { failure: MediaFailure };

/** The places in which attachments are left out of a message: they are in the bytes of the mail. */
export function failuresOf(attachments: readonly KeptAttachment[]): MessageFile[] {
  return attachments.flatMap((kept) =>
    'failure' in kept ? [{ status: 'failed', reason: kept.failure } as const] : [],
  );
}

export interface AttachmentPlace {
  workspaceId: number;
  workspaceUuid: string;
  /** The member who sent it; null for a sender who is not known yet, and for a colleague who answers from the mailbox. */
  memberId: number | null;
  /** The domain of a sender who is not known (`isUnknownSender`); null for a known one. */
  unknownDomain: string | null;
}

/**
 * Puts an attachment into the storage, before the transaction that makes a file of it. It is kept as what its bytes are,
 * whatever the sender calls it. @throws TooManyRequests, and the failures of the storage
 */
export async function keepAttachment(
  context: ServiceContext,
  { objects, bytesPerWorkspace }: FileStorage,
  { workspaceId, workspaceUuid, memberId, unknownDomain }: AttachmentPlace,
  { attachment, spooled }: { attachment: MailAttachment; spooled: SpooledBytes },
): Promise<KeptAttachment> {
  if (spooled.bytes === 0) return { failure: 'empty' };
  const filename = filenameOf(attachment.filename);
  const recognized = await withSourceOfFile(spooled.path, (source) => recognizeKind(source, filename));
  const { mimeType, kind } = recognized ?? {
    mimeType: unrecognizedType(plainType(attachment.mimeType)),
    kind: 'other' as const,
  };
  try {
    const object = await reserveObject(context, workspaceId, {
      object: {
        bytes: spooled.bytes,
        sha256: Buffer.from(spooled.sha256, 'hex'),
        mimeType,
        createdByMemberId: memberId,
        ...mailedBy(unknownDomain),
      },
      quota: bytesPerWorkspace,
      quotaOfMember: Math.floor(bytesPerWorkspace * fileLimits.shareOfMember),
    });
    await objects.put(objectKey(workspaceUuid, object.uuid), spooled, { mimeType });
    const content = { objectId: object.id, filename, mimeType, kind, fileSize: spooled.bytes };
    return { content };
  } catch (error) {
    if (error instanceof StorageFull) return { failure: noRoom[error.share] };
    throw error;
  }
}

/** As which failure it is shown that a share is full. */
const noRoom = {
  workspace: 'storage_full',
  member: 'storage_full',
  emails: 'emails_full',
  unknown_senders: 'unknown_senders_full',
} as const satisfies Record<FullShare, MediaFailure>;

/** Why the first of the attachments for which there was no room was not kept; undefined: there was room for all. */
export function noRoomFor(attachments: readonly KeptAttachment[]): MediaFailure | undefined {
  const reasons: readonly MediaFailure[] = Object.values(noRoom);
  const failures = attachments.flatMap((kept) => ('failure' in kept ? [kept.failure] : []));
  return failures.find((failure) => reasons.includes(failure));
}

function mailedBy(unknownDomain: string | null): Pick<NewObject, 'mailedBy' | 'mailedDomain'> {
  if (unknownDomain === null) return { mailedBy: 'member' };
  return { mailedBy: 'stranger', mailedDomain: createHash('sha256').update(unknownDomain).digest() };
}

const typeForm = /^[a-z0-9][a-z0-9.+-]{0,60}\/[a-z0-9][a-z0-9.+-]{0,60}$/;

function plainType(said: string): string {
  const type = said.toLowerCase();
  return typeForm.test(type) ? type : 'application/octet-stream';
}

/** Gives back the bytes of attachments that no message was made of. */
export async function dropAttachments(
  { db, clock }: ServiceContext,
  workspaceId: number,
  attachments: readonly KeptAttachment[],
): Promise<void> {
  const now = clock.now();
  await db.inWorkspace(workspaceId, async (tx) => {
    for (const kept of attachments) {
      if ('content' in kept) await doomPendingObject(tx, kept.content.objectId, now);
    }
  });
}
