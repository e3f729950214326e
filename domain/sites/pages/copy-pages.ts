import { copySitePages } from '../../../db/sites/copy-site-pages.js';
import { insertMenuItem } from '../../../db/sites/site-menu-items.js';
import { patchSite, type SiteRow } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import { loadMenu, type MenuItem } from '../menus/menu-tree.js';

/**
 * Copies pages and menu of a site to another one that has none, in the transaction that created it. The caller holds the lock of the
 * original. @returns the copy, with its home page
 */
export async function copyPages(
  tx: Tx,
  { original, copy }: { original: SiteRow; copy: SiteRow },
  by: { memberId: number; now: Date },
): Promise<SiteRow> {
  const copies = await copySitePages(tx, { from: original.id, to: copy.id }, by);
  const copyItems = async (items: readonly MenuItem[], parentId: number | null): Promise<void> => {
    for (const { item, children } of items) {
      const { label, itemType, url, icon, cssClass, target, position, isActive, translations } = item;
      const pageId = item.pageId === null ? null : (copies.get(item.pageId) ?? null);
      const values = { label, itemType, url, icon, cssClass, target, position, isActive, translations };
      const { id } = await insertMenuItem(tx, { siteId: copy.id, parentId, pageId, ...values });
      await copyItems(children, id);
    }
  };
  await copyItems(await loadMenu(tx, original), null);
  const { homePageId } = original;
  return patchSite(tx, copy.id, {
    pageCount: copies.size,
    homePageId: homePageId === null ? null : (copies.get(homePageId) ?? null),
  });
}
