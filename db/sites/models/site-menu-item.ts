import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export type MenuItemType = 'page' | 'url' | 'products' | 'none';

export class SiteMenuItemModel extends tenantTable('site_menu_items', {
  siteId: column<number>(),
  /** Null: at the top. */
  parentId: column<number | null>(),
  /** Of an item of the type `page`. */
  pageId: column<number | null>(),
  label: column<string>('configuration'),
  itemType: column<MenuItemType>('code'),
  /** Of an item of the type `url`. */
  url: column<string | null>('configuration'),
  icon: column<string | null>('configuration'),
  cssClass: column<string | null>('configuration'),
  target: column<'_self' | '_blank' | null>('code'),
  /** From 0, among the items with the same parent. */
  position: column<number>(),
  isActive: column<boolean>(),
  /** Labels by locale. */
  translations: json<Record<string, string>>('configuration'),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type SiteMenuItemRow = RowOf<SiteMenuItemModel>;
