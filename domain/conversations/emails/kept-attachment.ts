import type { MessageFile } from '../../../db/conversations/messages.js';
import type { VersionContent } from '../../../db/files/files.js';
import { doomPendingObject } from '../../../db/files/stored-objects.js';
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
import { Conflict } from '../../lib/errors.js';
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
  isOfStranger: boolean;
}

/**
 * Puts an attachment into the storage, before the transaction that makes a file of it. It is kept as what its bytes are,
 * whatever the sender calls it. @throws TooManyRequests, and the failures of the storage
 */
export async function keepAttachment(
  context: ServiceContext,
  { objects, bytesPerWorkspace }: FileStorage,
  { workspaceId, workspaceUuid, memberId, isOfStranger }: AttachmentPlace,
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
        mailedBy: isOfStranger ? 'stranger' : 'member',
      },
      quota: bytesPerWorkspace,
      quotaOfMember: Math.floor(bytesPerWorkspace * fileLimits.shareOfMember),
    });
    await objects.put(objectKey(workspaceUuid, object.uuid), spooled, { mimeType });
    const content = { objectId: object.id, filename, mimeType, kind, fileSize: spooled.bytes };
    return { content };
  } catch (error) {
    if (error instanceof Conflict) return { failure: 'storage_full' };
    throw error;
  }
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
