import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import type { Tx } from '../database.js';
import { readPage } from './read-page.js';
import { type RowOf, toRow, toRowOrUndefined } from './tenant-model.js';
import { column, type tenantTable } from './tenant-table.js';
import { whereNameOrSlug } from './where-name-or-slug.js';

/** What the labels of members, of chats and of files have in common. */
export const labelColumns = {
  uuid: column<string>(),
  name: column<string>(),
  slug: column<string>(),
  color: column<string>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
};

type LabelModel = ReturnType<typeof tenantTable<typeof labelColumns>>;

/** The labels of one kind of thing: members, chats or files. */
export interface LabelTable {
  model: LabelModel;
  /** Locks what has the label, in the order of ids. */
  lockLabelled(tx: Tx, labelId: number): PromiseLike<unknown>;
}

/** Labels of members have no description. */
export type LabelRow = RowOf<InstanceType<LabelModel>> & { description?: string };
export type LabelValues = Pick<LabelRow, 'name' | 'slug' | 'color' | 'description'>;
export type LabelSortField = 'id' | 'name' | 'slug' | 'createdAt';
/** `search` matches parts of name or slug. */
export type LabelFilter = { search?: string | undefined; slug?: string | undefined };

const sortColumns = { id: 'id', name: 'name', slug: 'slug', createdAt: 'created_at' };

export async function selectLabels(
  tx: Tx,
  { model }: LabelTable,
  { search, slug }: LabelFilter,
  page: PageRequest<LabelSortField>,
): Promise<PageOf<LabelRow>> {
  const query = model.query(tx);
  if (slug !== undefined) query.where('slug', slug);
  whereNameOrSlug(query, search);
  const found = await readPage(query, page, sortColumns[page.sortBy], 'id');
  return { ...found, items: found.items.map(toRow) };
}

export async function findLabel(tx: Tx, { model }: LabelTable, id: number): Promise<LabelRow | undefined> {
  return toRowOrUndefined(await model.query(tx).findById(id));
}

export async function insertLabel(
  tx: Tx,
  { model }: LabelTable,
  values: LabelValues,
  now: Date,
): Promise<LabelRow> {
  const row = { ...values, createdAt: now, updatedAt: now, workspaceId: tx.workspaceId };
  return toRow(await model.query(tx).insert(row).returning('*'));
}

export async function patchLabel(
  tx: Tx,
  { model }: LabelTable,
  id: number,
  changes: Partial<LabelValues>,
  now: Date,
): Promise<LabelRow | undefined> {
  const [row] = await model
    .query(tx)
    .patch({ ...changes, updatedAt: now })
    .where({ id })
    .returning('*');
  return toRowOrUndefined(row);
}

/** Locks as labelling does: first the label, then what has it. @returns whether the label existed */
export async function removeLabel(tx: Tx, { model, lockLabelled }: LabelTable, id: number): Promise<boolean> {
  if ((await model.query(tx).findById(id).forUpdate()) === undefined) return false;
  await lockLabelled(tx, id);
  await model.query(tx).deleteById(id);
  return true;
}
