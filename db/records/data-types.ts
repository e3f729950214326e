import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import { whereNameOrSlug } from '../lib/where-name-or-slug.js';
import { prepared } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import { DataTypeModel, type DataTypeRow } from './models/data-type.js';

export type { DataTypeRow } from './models/data-type.js';

export type DataTypeValues = Pick<DataTypeRow, 'name' | 'slug' | 'isCollection' | 'fields'>;

export interface DataTypeFilter {
  /** Part of name or slug. */
  search?: string | undefined;
  slug?: string | undefined;
  isCollection?: boolean | undefined;
}

export type DataTypeSortField = keyof typeof sortColumns;
const sortColumns = { id: 'id', name: 'name', slug: 'slug', createdAt: 'created_at' };

export async function findDataType(tx: EnteredTx, id: number): Promise<DataTypeRow | undefined> {
  return DataTypeModel.find(tx, id);
}

export async function findDataTypeBySlug(tx: Tx, slug: string): Promise<DataTypeRow | undefined> {
  return DataTypeModel.first(tx, 'slug = ?', [slug]);
}

/** Keeps the fields from changing until a record is written. Its lock is that of a foreign key: writers do not wait. */
export async function pinDataType(tx: Tx, id: number): Promise<DataTypeRow | undefined> {
  return DataTypeModel.first(tx, 'id = ? for key share', [id]);
}

/** With the workspace's region for phone numbers without a country code. */
export interface TypeInRegion {
  type: DataTypeRow;
  defaultRegion: string;
}

/** A column of a query of `data_types`. */
export const regionOfType = `(select default_region from identity.workspaces where id = data_types.workspace_id)
  as "defaultRegion"`;
const typeInRegion = `select ${DataTypeModel.columns}, ${regionOfType} from data_types where id = ?`;

export async function findDataTypeInRegion(tx: EnteredTx, id: number): Promise<TypeInRegion | undefined> {
  const [found] = await prepared<DataTypeRow & { defaultRegion: string }>(tx, typeInRegion, [id]);
  if (found === undefined) return undefined;
  const { defaultRegion, ...type } = found;
  return { type, defaultRegion };
}

/** `pinDataType` by slug. */
export async function pinDataTypeBySlug(tx: Tx, slug: string): Promise<DataTypeRow | undefined> {
  return DataTypeModel.first(tx, 'slug = ? for key share', [slug]);
}

/** `pinDataType` for several types by their slugs. Locks are always taken in the order of the ids. */
export async function pinDataTypesBySlug(tx: Tx, slugs: readonly string[]): Promise<DataTypeRow[]> {
  if (slugs.length === 0) return [];
  return DataTypeModel.where(tx, 'slug = any(?) order by id for key share', [slugs]);
}

/** Waits for transactions that write records of the type, and keeps others from starting until this one ends. */
export async function lockDataType(tx: Tx, id: number): Promise<DataTypeRow | undefined> {
  return DataTypeModel.first(tx, 'id = ? for update', [id]);
}

export async function selectDataTypes(
  tx: Tx,
  { search, slug, isCollection }: DataTypeFilter,
  page: PageRequest<DataTypeSortField>,
): Promise<PageOf<DataTypeRow>> {
  const query = DataTypeModel.query(tx);
  if (slug !== undefined) query.where({ slug });
  if (isCollection !== undefined) query.where({ is_collection: isCollection });
  whereNameOrSlug(query, search);
  const found = await readPage(query, page, sortColumns[page.sortBy], 'id');
  return { ...found, items: found.items.map(toRow) };
}

export async function countDataTypes(tx: Tx): Promise<number> {
  return DataTypeModel.count(tx, 'true');
}

export async function allDataTypes(tx: Tx): Promise<DataTypeRow[]> {
  return DataTypeModel.where(tx, 'true order by slug');
}

export async function dataTypesBySlug(tx: Tx, slugs: readonly string[]): Promise<DataTypeRow[]> {
  if (slugs.length === 0) return [];
  return DataTypeModel.where(tx, 'slug = any(?::text[]) order by slug', [slugs]);
}

export async function insertDataType(tx: Tx, values: DataTypeValues, now: Date): Promise<DataTypeRow> {
  return DataTypeModel.insert(tx, { ...values, createdAt: now, updatedAt: now });
}

export async function patchDataType(
  tx: Tx,
  id: number,
  changes: Partial<Pick<DataTypeValues, 'name' | 'fields'>>,
  now: Date,
): Promise<DataTypeRow | undefined> {
  const [row] = await DataTypeModel.updateReturning(tx, { ...changes, updatedAt: now }, 'id = ?', [id]);
  return row;
}

export async function removeDataType(tx: Tx, id: number): Promise<void> {
  await DataTypeModel.deleteWhere(tx, 'id = ?', [id]);
}
