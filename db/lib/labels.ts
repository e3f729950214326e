import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';
import { queryInIndexOrderPrepared } from './index-order.js';
import { readPage } from './read-page.js';
import { column, type tenantTable } from './table.js';
import { type RowOf, toRow } from './table-model.js';
import { whereNameOrSlug } from './where-name-or-slug.js';

/** What the labels of members, of chats and of files have in common. */
export const labelColumns = {
  uuid: column<string>(),
  name: column<string>('configuration'),
  slug: column<string>('configuration'),
  color: column<string>('code'),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
};

type LabelModel = ReturnType<typeof tenantTable<typeof labelColumns>>;

/** What has labels. */
export type Labelled = 'member' | 'chat' | 'file';

/** The labels of one kind of thing. */
export interface LabelTable {
  model: LabelModel;
  noun: Labelled;
  /** How what has a label is locked before its links are removed. */
  lock: 'for update' | 'for no key update';
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
  return model.find(tx, id);
}

export async function insertLabel(
  tx: Tx,
  { model }: LabelTable,
  values: LabelValues,
  now: Date,
): Promise<LabelRow> {
  return model.insert(tx, { ...values, createdAt: now, updatedAt: now });
}

export async function patchLabel(
  tx: Tx,
  { model }: LabelTable,
  id: number,
  changes: Partial<LabelValues>,
  now: Date,
): Promise<LabelRow | undefined> {
  const [row] = await model.updateReturning(tx, { ...changes, updatedAt: now }, 'id = ?', [id]);
  return row;
}

/**
 * Removes a label, once no transaction pins it. Its links stay behind, unseen, and a trigger notes that
 * they are to be removed. @returns whether it existed
 */
export async function removeLabel(tx: Tx, { model }: LabelTable, id: number): Promise<boolean> {
  return (await model.deleteWhere(tx, 'id = ?', [id])) > 0;
}

/** Returns the ids of what has a label, in order, after one. */
export async function selectLabelled(
  tx: Tx,
  { noun }: LabelTable,
  labelId: number,
  after: number,
  limit: number,
): Promise<number[]> {
  const links = await queryInIndexOrderPrepared<{ id: number }>(tx, {
    text: `select ${noun}_id as id from ${noun}_label_links
      where ${noun}_label_id = ? and ${noun}_id > ? order by ${noun}_id limit ?`,
    bindings: [labelId, after, limit],
  });
  return links.map(({ id }) => id);
}

/** Takes a label that is gone from these, which are locked in the order of ids, as labelling them does. */
export async function removeLinks(
  tx: Tx,
  { noun, lock }: LabelTable,
  labelId: number,
  ids: readonly number[],
): Promise<void> {
  await prepared(tx, `select 1 from ${noun}s where id = any(?) order by id ${lock}`, [ids]);
  await prepared(tx, `delete from ${noun}_label_links where ${noun}_label_id = ? and ${noun}_id = any(?)`, [
    labelId,
    ids,
  ]);
}
