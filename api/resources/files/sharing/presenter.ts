import type { FileRow } from '../../../../db/files/files.js';
import type { FolderRow } from '../../../../db/files/folders.js';
import type { PageOf } from '../../../../domain/lib/paging.js';
import { presentPage } from '../../../http/paging.js';
import type { SharedFileResponse, SharedFolderFilesResponse, SharedFolderResponse } from './schemas.js';

export function presentSharedFile(file: FileRow): SharedFileResponse {
  const { id, uuid, title, description, filename, mimeType, fileSize, createdAt, updatedAt } = file;
  return {
    id,
    uuid,
    title,
    description,
    filename,
    mimeType,
    fileSize,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

type Asked = { page: number; pageSize: number };

export function presentSharedFiles(asked: Asked, files: PageOf<FileRow>): SharedFolderFilesResponse {
  return presentPage(asked, files, presentSharedFile);
}

export function presentSharedFolder(
  asked: Asked,
  { folder, files }: { folder: FolderRow; files: PageOf<FileRow> },
): SharedFolderResponse {
  const { id, uuid, name, description, createdAt, updatedAt } = folder;
  return {
    id,
    uuid,
    name,
    description,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    files: presentSharedFiles(asked, files),
  };
}
