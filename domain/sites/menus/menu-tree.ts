import {
  type PageOfMenu,
  type SiteMenuItemRow,
  selectMenuItems,
  selectPagesOfMenu,
} from '../../../db/sites/site-menu-items.js';
import type { SiteRow } from '../../../db/sites/sites.js';
import type { EnteredTx } from '../../../db/tx.js';

export interface MenuItem {
  item: SiteMenuItemRow;
  /** Of an item of the type `page`. */
  page: PageOfMenu | undefined;
  children: MenuItem[];
}

/** The menu of a site as its editors have it. */
export async function loadMenu(tx: EnteredTx, site: SiteRow): Promise<MenuItem[]> {
  const [items, pages] = await Promise.all([
    selectMenuItems(tx, site.id),
    selectPagesOfMenu(tx, site.id, site.primaryLocale),
  ]);
  const itemsBelow = (parentId: number | null): MenuItem[] =>
    items
      .filter((item) => item.parentId === parentId)
      .map((item) => ({
        item,
        page: item.pageId === null ? undefined : pages.get(item.pageId),
        children: itemsBelow(item.id),
      }));
  return itemsBelow(null);
}

/** What visitors see of a menu: active items, and of pages those that are published. What is below a hidden item is hidden. */
export function visibleMenu(items: readonly MenuItem[]): MenuItem[] {
  return items
    .filter(({ item, page }) => item.isActive && (item.itemType !== 'page' || page?.publishedTitle != null))
    .map(({ children, ...shown }) => ({ ...shown, children: visibleMenu(children) }));
}

/** An item of a menu, wherever it is. */
export function itemIn(items: readonly MenuItem[], id: number): MenuItem | undefined {
  for (const one of items) {
    const found = one.item.id === id ? one : itemIn(one.children, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Levels of an item with all below it. */
export function levelsOf({ children }: MenuItem): number {
  return 1 + children.reduce((deepest, child) => Math.max(deepest, levelsOf(child)), 0);
}
