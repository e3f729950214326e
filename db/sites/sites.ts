import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import { whereNameOrSlug } from '../lib/where-name-or-slug.js';
import type { EnteredTx, Tx } from '../tx.js';
import { SiteModel, type SiteRow, type SiteTheme } from './models/site.js';

export type { SiteRow, SiteTheme } from './models/site.js';

export type SiteValues = Partial<Omit<SiteRow, 'id' | 'workspaceId' | 'uuid' | 'pageCount'>>;

/** All given conditions apply. */
export interface SiteFilter {
  /** A part of the name or slug. */
  search?: string;
  isPublic?: boolean;
  /** Whether those that are not public are left out. */
  publicOnly?: boolean;
  theme?: readonly SiteTheme[];
}

export type SiteSortField = 'name' | 'createdAt' | 'updatedAt';

const sortColumns: Record<SiteSortField, string> = {
  name: 'name',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

export async function findSite(tx: EnteredTx, id: number): Promise<SiteRow | undefined> {
  return SiteModel.find(tx, id);
}

/** `uuid` in lower case. */
export async function findSiteByUuid(tx: EnteredTx, uuid: string): Promise<SiteRow | undefined> {
  return SiteModel.first(tx, 'uuid = ?::uuid', [uuid]);
}

/** `findSite`, and locks the row until the transaction ends, as all changes of a site and of the number of its pages do. */
export async function lockSite(tx: Tx, id: number): Promise<SiteRow | undefined> {
  return SiteModel.first(tx, 'id = ? for no key update', [id]);
}

/** `findSite`, and keeps the site from being deleted until the transaction ends. */
export async function pinSite(tx: Tx, id: number): Promise<SiteRow | undefined> {
  return SiteModel.first(tx, 'id = ? for key share', [id]);
}

export async function selectSites(
  tx: Tx,
  { search, isPublic, publicOnly, theme }: SiteFilter,
  page: PageRequest<SiteSortField>,
): Promise<PageOf<SiteRow>> {
  const query = SiteModel.query(tx);
  if (isPublic !== undefined) query.where('is_public', isPublic);
  if (publicOnly === true) query.where('is_public', true);
  if (theme !== undefined) query.whereIn('theme', [...theme]);
  whereNameOrSlug(query, search);
  const found = await readPage(query, page, sortColumns[page.sortBy], 'id');
  return { ...found, items: found.items.map(toRow) };
}

export async function countSites(tx: Tx): Promise<number> {
  return SiteModel.count(tx, 'true');
}

export async function insertSite(
  tx: Tx,
  values: SiteValues & Partial<Pick<SiteRow, 'uuid'>>,
): Promise<SiteRow> {
  return SiteModel.insert(tx, values);
}

export async function patchSite(
  tx: Tx,
  id: number,
  changes: SiteValues & Partial<Pick<SiteRow, 'pageCount'>>,
): Promise<SiteRow> {
  return SiteModel.patch(tx, id, changes);
}

/** @returns whether there was one */
export async function removeSite(tx: Tx, id: number): Promise<boolean> {
  return (await SiteModel.deleteWhere(tx, 'id = ?', [id])) > 0;
}
