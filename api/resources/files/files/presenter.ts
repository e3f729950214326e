import type { FileView } from '../../../../domain/files/files/file-view.js';
import type { FileResponse } from './schemas.js';

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
    indexing,
    ...(lastEditedByMemberId === null ? {} : { lastEditedByMemberId }),
  };
}
