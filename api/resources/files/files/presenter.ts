import type { FileView } from '../../../../domain/files/files/file-view.js';
import type { FileResponse } from './schemas.js';

/** What of a file the storage of its bytes decides. */
export interface FileAddresses {
  data?: string | null;
  cdnUrl: string | null;
  isS3Stored: boolean;
}

export function presentFile(
  file: FileView,
  { data = null, cdnUrl, isS3Stored }: FileAddresses,
): FileResponse {
  const { id, uuid, title, description, filename, mimeType, fileSize, folderId, folder, externalId } = file;
  const { access, accessMode, permissions, shareCount, currentVersionNumber } = file;
  const { choicePrompt, ownerMemberId, lastEditedByMemberId } = file;
  return {
    id,
    uuid,
    title,
    description,
    filename,
    mimeType,
    folderId,
    siteId: null,
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
    ...(lastEditedByMemberId === null ? {} : { lastEditedByMemberId }),
  };
}
