import type { MessageRow } from '../../../db/conversations/messages.js';
import { findVersionBytes } from '../../../db/files/file-versions.js';
import type { Tx } from '../../../db/tx.js';

/** A file of a message that is sent, in the version that the message names. */
export interface MessageMedia {
  fileId: number;
  versionNumber: number;
  filename: string;
  mimeType: string;
  objectUuid: string;
}

/** Returns the files that a message carries, in their order; undefined if one of them was deleted. */
export async function findMediaOf(tx: Tx, { files }: MessageRow): Promise<MessageMedia[] | undefined> {
  const versionIds = files.map((file) => (file.status === 'stored' ? file.versionId : 0));
  if (versionIds.length === 0) return [];
  const versions = await findVersionBytes(tx, versionIds);
  const media: MessageMedia[] = [];
  for (const id of versionIds) {
    const version = versions.get(id);
    if (version === undefined) return undefined;
    const { fileId, number: versionNumber, filename, mimeType, objectUuid } = version;
    media.push({ fileId, versionNumber, filename, mimeType, objectUuid });
  }
  return media;
}
