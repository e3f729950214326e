import { lockSubject } from '../lock-subject.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { FolderModel } from './models/folder.js';
import { type FileReader, folderSeenBy } from './readable-files.js';

/** Takes the lock of the workspace's tree: changes of its shape follow one another. */
export async function lockFolderTree(tx: Tx): Promise<void> {
  await lockSubject(tx, 'folder-tree');
}

export async function countFolders(tx: Tx): Promise<number> {
  return FolderModel.count(tx, 'true');
}

/** Returns the ids from this folder up to the root, at most `most`. */
export async function findFolderPath(tx: Tx, id: number, most: number): Promise<number[]> {
  const rows = await prepared<{ id: number }>(
    tx,
    `with recursive upwards as (
       select id, parent_folder_id, 1 as depth from folders where id = ?
       union all
       select above.id, above.parent_folder_id, depth + 1
       from upwards join folders above on above.id = upwards.parent_folder_id where depth < ?
     ) select id from upwards order by depth`,
    [id, most],
  );
  return rows.map((row) => row.id);
}

/** Returns the id of the folder with these slugs from the root down, its own the last. */
export async function findFolderByPath(tx: Tx, slugs: readonly string[]): Promise<number | undefined> {
  const [row] = await prepared<{ id: number }>(
    tx,
    `with recursive walked as (
       select id, 1 as depth from folders where parent_folder_id is null and slug = (?::text[])[1]
       union all
       select folders.id, depth + 1
       from walked join folders on folders.parent_folder_id = walked.id and folders.slug = (?::text[])[depth + 1]
     ) select id from walked where depth = cardinality(?::text[])`,
    [slugs, slugs, slugs],
  );
  return row?.id;
}

/** Returns the ids of a folder and of those below it, as far as the reader sees each on the way down. */
export async function selectFoldersBelow(tx: Tx, id: number, reader: FileReader): Promise<number[]> {
  const seen = folderSeenBy(reader);
  const rows = await prepared<{ id: number }>(
    tx,
    `with recursive below as (
       select id from folders where id = ? and ${seen.text}
       union all
       select folders.id from below join folders on folders.parent_folder_id = below.id where ${seen.text}
     ) select id from below`,
    [id, ...seen.bindings, ...seen.bindings],
  );
  return rows.map((row) => row.id);
}

export interface FolderBelow {
  id: number;
  ownerMemberId: number | null;
  /** 1: the folder itself. */
  depth: number;
}

/** Locks a folder and those below it against being filled, and returns them, at most `most`, the deepest first. */
export async function lockFoldersBelow(tx: Tx, id: number, most: number): Promise<FolderBelow[]> {
  return prepared<FolderBelow>(
    tx,
    `with recursive below as (
       select id, 1 as depth from folders where id = ?
       union all
       select folders.id, depth + 1 from below join folders on folders.parent_folder_id = below.id
     ), kept as (select id, depth from below limit ?)
     select folders.id, folders.owner_member_id as "ownerMemberId", kept.depth
     from kept join folders on folders.id = kept.id order by kept.depth desc, folders.id for update of folders`,
    [id, most],
  );
}

/** Returns how many levels the tree from this folder has, itself included. */
export async function countFolderLevels(tx: Tx, id: number, most: number): Promise<number> {
  const [row] = await prepared<{ levels: number }>(
    tx,
    `with recursive below as (
       select id, 1 as depth from folders where id = ?
       union all
       select folders.id, depth + 1 from below join folders on folders.parent_folder_id = below.id where depth < ?
     ) select coalesce(max(depth), 0) as levels from below`,
    [id, most],
  );
  return Number(row?.levels ?? 0);
}

/** Deletes these folders, which have no others below them. */
export async function removeFolders(tx: Tx, ids: readonly number[]): Promise<void> {
  await FolderModel.deleteWhere(tx, 'id = any(?)', [ids]);
}

/** Moves the folders directly below one to another, or to the root. */
export async function reparentFolders(
  tx: Tx,
  fromFolderId: number,
  toFolderId: number | null,
  now: Date,
): Promise<void> {
  const changes = { parentFolderId: toFolderId, updatedAt: now };
  await FolderModel.updateWhere(tx, changes, 'parent_folder_id = ?', [fromFolderId]);
}
