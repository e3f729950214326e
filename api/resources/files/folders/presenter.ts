import type { FolderView } from '../../../../domain/files/folders/folder-view.js';
import type { FolderResponse } from './schemas.js';

export function presentFolder(folder: FolderView): FolderResponse {
  const { id, uuid, name, slug, description, parentFolderId, access, permissions, shareCount } = folder;
  return {
    id,
    uuid,
    name,
    slug,
    description,
    parentFolderId,
    access,
    ownerId: folder.ownerMemberId,
    permissions,
    shareCount,
    createdAt: folder.createdAt.toISOString(),
    updatedAt: folder.updatedAt.toISOString(),
  };
}
