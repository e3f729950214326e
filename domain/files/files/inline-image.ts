import { buffer } from 'node:stream/consumers';
import type { VersionBytes } from '../../../db/files/file-versions.js';
import { Unavailable } from '../../lib/errors.js';
import { fileLimits } from '../limits.js';
import { type ObjectStore, objectKey } from '../object-store.js';

/** SVG is none of them: it can hold a script. */
const inlineTypes = ['image/png', 'image/jpeg', 'image/gif'];

/**
 * Returns a small image as a `data:` address. Null for all other files, and while the storage cannot be used: what is
 * known of the file is answered anyway.
 */
export async function readInlineImage(
  objects: ObjectStore,
  workspaceUuid: string,
  { objectUuid, bytes, mimeType }: VersionBytes,
): Promise<string | null> {
  if (bytes > fileLimits.inlineImageBytes || !inlineTypes.includes(mimeType)) return null;
  try {
    const content = await buffer(await objects.get(objectKey(workspaceUuid, objectUuid)));
    return `data:${mimeType};base64,${content.toString('base64')}`;
  } catch (error) {
    if (error instanceof Unavailable) return null;
    throw error;
  }
}
