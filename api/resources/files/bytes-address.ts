import { validityAt } from '../../../domain/files/address-signer.js';
import type { FileView } from '../../../domain/files/files/file-view.js';
import { getFile } from '../../../domain/files/files/get-and-list-files.js';
import { objectKey } from '../../../domain/files/object-store.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { NotFound } from '../../../domain/lib/errors.js';
import { appearanceOf } from '../../http/files/file-headers.js';
import type { Services } from '../../http/services.js';

/**
 * Returns an address at which everyone gets the bytes of the current version for 15 to 20 minutes: at the bucket where
 * clients reach it, else at the service (docs/decisions/0108-bytes-pass-a-spool.md).
 */
export function bytesAddress(
  { storage, fileAddresses }: Pick<Services, 'storage' | 'fileAddresses'>,
  workspaceUuid: string,
  {
    id,
    currentVersionNumber,
    filename,
    mimeType,
    source,
    content,
  }: Pick<FileView, 'id' | 'currentVersionNumber' | 'filename' | 'mimeType' | 'source' | 'content'>,
  now: Date,
): string {
  // What came from outside is saved, and not shown.
  const wanted = source === 'upload' ? 'inline' : 'attachment';
  const { disposition, contentType } = appearanceOf({ mimeType, disposition: wanted });
  const answer = { filename, disposition, mimeType: contentType, ...validityAt(now) };
  const ofBucket = storage.sign(objectKey(workspaceUuid, content.objectUuid), answer);
  if (ofBucket !== undefined) return ofBucket;
  const version = { fileId: id, versionNumber: currentVersionNumber };
  return fileAddresses.addressOf({ workspaceUuid, ...version, disposition: wanted, filename }, now);
}

/** Makes the addresses of files in a stored answer anew. That of a file which the caller cannot read any more has expired. */
export async function renewAddresses(
  { context, services }: { context: CommandContext; services: Services },
  files: readonly { id: number; filename: string; cdnUrl: string; currentVersionNumber: number }[],
): Promise<void> {
  const { workspaceUuid } = context.actor;
  for (const file of files) {
    try {
      const found = await getFile(context, file.id);
      file.cdnUrl = bytesAddress(services, workspaceUuid, found, context.clock.now());
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      const { id: fileId, currentVersionNumber: versionNumber, filename } = file;
      const version = { workspaceUuid, fileId, versionNumber, disposition: 'attachment', filename } as const;
      file.cdnUrl = services.fileAddresses.addressOf(version, new Date(0));
    }
  }
}
