import type { FileRow } from '../../../db/files/files.js';
import { pinSendableFiles, type Sendable, selectFilesToOffer } from '../../../db/files/sendable-files.js';
import type { Tx } from '../../../db/tx.js';
import { folderIdsAt } from '../folders/folder-ids-at.js';

export type { Sendable } from '../../../db/files/sendable-files.js';

/** A file as an agent is told of it. */
export type OfferedFile = Pick<FileRow, 'id' | 'title' | 'mimeType'>;

/** What a tool's description names; an agent finds others by `search_files`. */
const maxOffered = 20;

/**
 * Files that an agent may send into a chat, by name: the newest of the chat and its assignment, then those that every
 * member may see in a folder, and below it.
 * @param folderPath slugs from the root, joined by slashes; undefined: no folder
 */
export async function filesToOffer(
  tx: Tx,
  within: Sendable,
  folderPath: string | undefined,
): Promise<OfferedFile[]> {
  const folderIds = folderPath === undefined ? [] : await folderIdsAt(tx, folderPath);
  return selectFilesToOffer(tx, within, { folderIds, limit: maxOffered });
}

/**
 * Returns the files that an agent sends into a chat, in the order of their ids as given, kept from deletion until the
 * transaction ends; undefined if one of them may not be sent there. The words of a model give no right: only what every
 * member may see, and what is attached to this chat or assignment for its member, because others may take part in the
 * chat and read what is sent (docs/decisions/0118-messages-say-which-files-they-carried.md).
 */
export async function pinSendable(
  tx: Tx,
  within: Sendable,
  fileIds: readonly number[],
): Promise<FileRow[] | undefined> {
  const files = new Map((await pinSendableFiles(tx, within, fileIds)).map((file) => [file.id, file]));
  const found = fileIds.map((id) => files.get(id)).filter((file) => file !== undefined);
  return found.length === fileIds.length ? found : undefined;
}
