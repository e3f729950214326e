import type { VersionBytes } from '../../../db/files/file-versions.js';
import { type ObjectStore, objectKey } from '../../../domain/files/object-store.js';
import type { ServedFile } from '../../http/files/served-file.js';

/** The bytes of a version, as an answer. */
export function servedContent(
  storage: ObjectStore,
  workspaceUuid: string,
  { objectUuid, sha256, bytes, mimeType, filename }: VersionBytes,
  { disposition, ...more }: Pick<ServedFile, 'disposition' | 'embeddable' | 'freshSeconds'>,
): ServedFile {
  const key = objectKey(workspaceUuid, objectUuid);
  return {
    bytes,
    sha256: sha256.toString('hex'),
    mimeType,
    filename,
    disposition,
    ...more,
    open: (range) => storage.read(key, range),
  };
}
