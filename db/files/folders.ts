import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import { whereNameOrSlug } from '../lib/where-name-or-slug.js';
import type { Tx } from '../tx.js';
import { FolderModel, type FolderRow } from './models/folder.js';
import { type FileReader, folderSeenBy } from './readable-files.js';

export type { FolderRow } from './models/folder.js';

export type FolderValues = Pick<
  FolderRow,
  'parentFolderId' | 'name' | 'slug' | 'description' | 'access' | 'ownerMemberId'
>;

/** All given conditions apply. */
export interface FolderFilter {
  /** Null: at the root. */
  parentFolderId?: number | null;
  /** A part of the name or slug. */
  search?: string;
}

export type FolderSortField = 'name' | 'slug' | 'createdAt' | 'updatedAt';

const sortColumns: Record<FolderSortField, string> = {
  name: 'name',
  slug: 'slug',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

async function selectSeen(
  tx: Tx,
  id: number,
  reader: FileReader,
  lock: '' | 'for no key update' | 'for key share',
): Promise<FolderRow | undefined> {
  const seen = folderSeenBy(reader);
  const [row] = await FolderModel.where(tx, `folders.id = ? and ${seen.text} ${lock}`, [
    id,
    ...seen.bindings,
  ]);
  return row;
}

/** Returns the folder if the reader sees it. */
export function findFolder(tx: Tx, id: number, reader: FileReader): Promise<FolderRow | undefined> {
  return selectSeen(tx, id, reader, '');
}

/** `findFolder`, and locks the row until the transaction ends. */
export function lockFolder(tx: Tx, id: number, reader: FileReader): Promise<FolderRow | undefined> {
  return selectSeen(tx, id, reader, 'for no key update');
}

/** `findFolder`, and keeps the folder from being deleted until the transaction ends. */
export function pinFolder(tx: Tx, id: number, reader: FileReader): Promise<FolderRow | undefined> {
  return selectSeen(tx, id, reader, 'for key share');
}

export type FolderSummary = Pick<FolderRow, 'id' | 'uuid' | 'name' | 'slug'>;

/** Returns those of these folders that the reader sees, by id. */
export async function findFolderSummaries(
  tx: Tx,
  ids: readonly number[],
  reader: FileReader,
): Promise<Map<number, FolderSummary>> {
  if (ids.length === 0) return new Map();
  const seen = folderSeenBy(reader);
  const fields = ['id', 'uuid', 'name', 'slug'] as const;
  const rows = await FolderModel.pick(tx, fields, `id = any(?) and ${seen.text}`, [ids, ...seen.bindings]);
  return new Map(rows.map((row) => [row.id, row]));
}

export async function selectFolders(
  tx: Tx,
  { parentFolderId, search }: FolderFilter,
  page: PageRequest<FolderSortField>,
  reader: FileReader,
): Promise<PageOf<FolderRow>> {
  const query = FolderModel.query(tx);
  const visible = folderSeenBy(reader);
  query.whereRaw(visible.text, [...visible.bindings] as number[]);
  if (parentFolderId === null) query.whereNull('parent_folder_id');
  if (typeof parentFolderId === 'number') query.where('parent_folder_id', parentFolderId);
  whereNameOrSlug(query, search);
  const found = await readPage(query, page, sortColumns[page.sortBy], 'id');
  return { ...found, items: found.items.map(toRow) };
}

export async function insertFolder(tx: Tx, values: FolderValues, now: Date): Promise<FolderRow> {
  return FolderModel.insert(tx, { ...values, createdAt: now, updatedAt: now });
}

export async function patchFolder(
  tx: Tx,
  id: number,
  changes: Partial<FolderValues>,
  now: Date,
): Promise<FolderRow> {
  return FolderModel.patch(tx, id, { ...changes, updatedAt: now });
}
