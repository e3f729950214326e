import type { FileView } from '../../../../domain/files/files/file-view.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import type { Services } from '../../../http/services.js';
import { bytesAddress } from '../bytes-address.js';
import type { FileResponse } from './schemas.js';

/** A file with the address of its bytes. @param data a small image, where its bytes were read */
export function presentFileFor(
  { context, services }: { context: CommandContext; services: Services },
  file: FileView,
  data: string | null = null,
): FileResponse {
  const cdnUrl = bytesAddress(services, context.actor.workspaceUuid, file, context.clock.now());
  return presentFile(file, { data, cdnUrl, isS3Stored: services.storage.kind === 's3' });
}

/** How the bytes of a file are reached. */
export interface BytesOfFile {
  data: string | null;
  cdnUrl: string;
  isS3Stored: boolean;
}

export function presentFile(file: FileView, { data, cdnUrl, isS3Stored }: BytesOfFile): FileResponse {
  const { id, uuid, title, description, filename, mimeType, fileSize, folderId, folder, externalId } = file;
  const { access, accessMode, permissions, shareCount, currentVersionNumber } = file;
  const { choicePrompt, ownerMemberId, lastEditedByMemberId, indexing } = file;
  return {
    id,
    uuid,
    title,
    description,
    filename,
    mimeType,
    folderId,
    siteId: file.siteId,
    externalId,
    folder,
    createdAt: file.createdAt.toISOString(),
    updatedAt: file.updatedAt.toISOString(),
    data,
    cdnUrl,
    fileSize,
    accessMode,
    ...(choicePrompt === null ? {} : { choicePrompt }),
    ...(ownerMemberId === null ? {} : { ownerId: ownerMemberId }),
    access,
    isS3Stored,
    permissions,
    labels: file.labels.map(({ description = '', ...label }) => ({ ...label, description })),
    shareCount,
    currentVersionNumber,
    indexing,
    ...(lastEditedByMemberId === null ? {} : { lastEditedByMemberId }),
  };
}
