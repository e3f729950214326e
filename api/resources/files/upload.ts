import { fileLimits } from '../../../domain/files/limits.js';
import type { FileStorage } from '../../../domain/files/objects/file-storage.js';
import type { Services } from '../../http/services.js';
import type { FileDeclaration } from '../../http/uploads/uploaded-file.js';

export const keptFile: FileDeclaration = {
  maxBytes: fileLimits.fileBytes,
  description:
    'A PDF, Word, text or Markdown document, a PNG, JPG, GIF or SVG image, CSV, JSON or XML data, or MP3 or MP4 media, 50 MB at most. The kind is recognised by the content',
  kept: true,
};

export function fileStorageOf({ storage, policy }: Services): FileStorage {
  return { objects: storage, bytesPerWorkspace: policy.bytesPerWorkspace };
}

export const uploadErrors = {
  409: 'The workspace, or the caller, has as many bytes of files as allowed (`storage_full`).',
  429: 'The caller has too many uploads in progress (`too_many_uploads`).',
  503: 'The storage cannot be used at the moment (`storage_unavailable`).',
} as const;
