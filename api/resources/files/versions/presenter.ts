import type { VersionView } from '../../../../domain/files/versions/file-versions.js';
import type { FileVersionResponse } from './schemas.js';

export function presentVersion(version: VersionView): FileVersionResponse {
  const { id, uuid, number, isCurrent, filename, mimeType, fileSize, uploadedByMemberId } = version;
  const { indexingState, indexingReason, indexedPages } = version;
  return {
    id,
    uuid,
    number,
    isCurrent,
    filename,
    mimeType,
    fileSize,
    uploadedByMemberId,
    createdAt: version.createdAt.toISOString(),
    indexingState,
    indexingReason,
    indexedPages,
  };
}
