import { prepared } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import { SiteMenuItemModel, type SiteMenuItemRow } from './models/site-menu-item.js';

export type { MenuItemType, SiteMenuItemRow } from './models/site-menu-item.js';

/** All items of a site, in order of position. */
export async function selectMenuItems(tx: EnteredTx, siteId: number): Promise<SiteMenuItemRow[]> {
  return SiteMenuItemModel.where(tx, 'site_id = ? order by position, id', [siteId]);
}

export async function insertMenuItem(
  tx: Tx,
  values: Omit<SiteMenuItemRow, 'id' | 'workspaceId' | 'createdAt' | 'updatedAt'>,
): Promise<SiteMenuItemRow> {
  return SiteMenuItemModel.insert(tx, values);
}

export async function patchMenuItem(
  tx: Tx,
  id: number,
  changes: Partial<Omit<SiteMenuItemRow, 'id' | 'workspaceId'>>,
): Promise<SiteMenuItemRow> {
  return SiteMenuItemModel.patch(tx, id, changes);
}

/** Gives items the positions of their order. */
export async function orderMenuItems(tx: Tx, ids: readonly number[]): Promise<void> {
  await prepared(
    tx,
    `update site_menu_items i set position = o.place - 1 from unnest(?::bigint[]) with ordinality o(id, place)
     where i.id = o.id and i.position <> o.place - 1`,
    [ids],
  );
}

/** Removes an item with all below it. */
export async function removeMenuItem(tx: Tx, id: number): Promise<void> {
  await SiteMenuItemModel.deleteWhere(tx, 'id = ?', [id]);
}

/** Items of a page that is deleted: those with others below them stay, as headings; the others go. */
export async function detachPageFromMenu(tx: Tx, pageId: number): Promise<void> {
  const isLeaf = 'not exists (select from site_menu_items below where below.parent_id = site_menu_items.id)';
  await SiteMenuItemModel.deleteWhere(tx, `page_id = ? and ${isLeaf}`, [pageId]);
  await SiteMenuItemModel.updateWhere(tx, { itemType: 'none', pageId: null }, 'page_id = ?', [pageId]);
}

/** What menus show of a page. */
export interface PageOfMenu {
  id: number;
  slug: string;
  /** In the primary locale, else in the first one. */
  title: string;
  /** The title that visitors read; null: they cannot read the page. */
  publishedTitle: string | null;
}

/** The pages that items of the site lead to. */
export async function selectPagesOfMenu(
  tx: EnteredTx,
  siteId: number,
  primaryLocale: string,
): Promise<Map<number, PageOfMenu>> {
  const rows = await prepared<PageOfMenu>(
    tx,
    `select p.id, p.slug, d.title, d.published_title as "publishedTitle"
     from (select distinct page_id from site_menu_items where site_id = ? and page_id is not null) items
     join lateral (select id, slug, published_at from site_pages where id = items.page_id limit 1) p on true
     join lateral (select o.title, case when p.published_at is not null then o.published_title end as published_title
       from site_page_documents o where o.page_id = p.id
       order by (o.published_version is not null) desc, (o.locale = ?) desc, o.id limit 1) d on true`,
    [siteId, primaryLocale],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
