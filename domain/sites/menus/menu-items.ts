import {
  insertMenuItem,
  orderMenuItems,
  patchMenuItem,
  removeMenuItem,
} from '../../../db/sites/site-menu-items.js';
import type { SiteRow } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.js';
import { requireSite, requireSiteForChange } from '../pages/require-page.js';
import { checkMenuItem, type MenuItemFields } from './check-menu-item.js';
import { itemIn, levelsOf, loadMenu, type MenuItem } from './menu-tree.js';

/*
 * The lock of the site is taken by every change of its menu, so that no two moves make a circle.
 */

export const menuLimits = { items: 200, levels: 3 };

/** Where an item is. */
export interface MenuPlace {
  /** Null: at the top. */
  parentId?: number | null;
  /** From 0, among the items with the same parent. Default: the last. */
  position?: number;
}

const plain: Omit<MenuItemFields, 'label' | 'itemType'> = {
  pageId: null,
  url: null,
  icon: null,
  cssClass: null,
  target: null,
  isActive: true,
  translations: {},
};

/** The whole menu, as editors see it. @throws Forbidden, NotFound */
export async function getMenu({ db, actor }: CommandContext, siteId: number): Promise<MenuItem[]> {
  actor.require('sites:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => loadMenu(tx, await requireSite(tx, siteId)));
}

/** @throws Forbidden, NotFound */
export async function getMenuItem(
  context: CommandContext,
  siteId: number,
  itemId: number,
): Promise<MenuItem> {
  return required(itemIn(await getMenu(context, siteId), itemId));
}

/** @throws Forbidden, NotFound, InvalidInput, Conflict `too_many_menu_items` */
export async function createMenuItem(
  { db, actor }: CommandContext,
  siteId: number,
  {
    parentId = null,
    position,
    ...given
  }: Pick<MenuItemFields, 'label' | 'itemType'> & Partial<MenuItemFields> & MenuPlace,
): Promise<MenuItem> {
  actor.require('sites:write');
  const fields = { ...plain, ...given };
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const site = await requireSiteForChange(tx, siteId);
    const menu = await loadMenu(tx, site);
    if (countItems(menu) >= menuLimits.items) {
      throw new Conflict('too_many_menu_items', `A menu has at most ${menuLimits.items} items.`);
    }
    await checkMenuItem(tx, siteId, fields);
    const neighbours = neighboursAt(menu, parentId, 1);
    const created = await insertMenuItem(tx, { siteId, parentId, position: neighbours.length, ...fields });
    await place(tx, neighbours, created.id, position);
    return reread(tx, site, created.id);
  });
}

/**
 * Changes an item, or moves it with all below it.
 * @throws Forbidden, NotFound, InvalidInput also for a place within the item itself
 */
export async function updateMenuItem(
  { db, actor, clock }: CommandContext,
  siteId: number,
  itemId: number,
  { parentId, position, ...changes }: Partial<MenuItemFields> & MenuPlace,
): Promise<MenuItem> {
  actor.require('sites:write');
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const site = await requireSiteForChange(tx, siteId);
    const menu = await loadMenu(tx, site);
    const moved = required(itemIn(menu, itemId));
    const fields = { ...fieldsOf(moved), ...withoutOthers(changes) };
    await checkMenuItem(tx, siteId, fields);
    const newParent = parentId === undefined ? moved.item.parentId : parentId;
    if (newParent !== null && itemIn([moved], newParent) !== undefined) {
      throw InvalidInput.field('/parentId', 'names the item itself, or one below it');
    }
    const neighbours = neighboursAt(menu, newParent, levelsOf(moved)).filter(
      ({ item }) => item.id !== itemId,
    );
    await patchMenuItem(tx, itemId, { ...fields, parentId: newParent, updatedAt: clock.now() });
    if (newParent !== moved.item.parentId || position !== undefined) {
      await place(tx, neighbours, itemId, position);
    }
    return reread(tx, site, itemId);
  });
}

/** Deletes an item with all below it. @throws Forbidden, NotFound */
export async function deleteMenuItem(
  { db, actor }: CommandContext,
  siteId: number,
  itemId: number,
): Promise<void> {
  actor.require('sites:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const site = await requireSiteForChange(tx, siteId);
    required(itemIn(await loadMenu(tx, site), itemId));
    await removeMenuItem(tx, itemId);
  });
}

/** Takes the lock of a change of the menu, within the transaction of `db`. */
export async function lockMenuForChange({ db, actor }: CommandContext, siteId: number): Promise<void> {
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    await requireSiteForChange(tx, siteId);
  });
}

function fieldsOf({ item }: MenuItem): MenuItemFields {
  const { label, itemType, pageId, url, icon, cssClass, target, isActive, translations } = item;
  return { label, itemType, pageId, url, icon, cssClass, target, isActive, translations };
}

/** Another type drops what belongs to the one before. */
function withoutOthers(changes: Partial<MenuItemFields>): Partial<MenuItemFields> {
  const { itemType } = changes;
  if (itemType === undefined) return changes;
  return {
    ...(itemType !== 'page' && { pageId: null }),
    ...(itemType !== 'url' && { url: null }),
    ...changes,
  };
}

/** The items below a parent, for an item of so many levels. @throws InvalidInput */
function neighboursAt(
  menu: readonly MenuItem[],
  parentId: number | null,
  levels: number,
): readonly MenuItem[] {
  if (parentId === null) return menu;
  const parent = itemIn(menu, parentId);
  if (parent === undefined) throw InvalidInput.field('/parentId', 'There is no such item in this menu.');
  if (depthOf(menu, parentId) + levels > menuLimits.levels) {
    throw InvalidInput.field('/parentId', `A menu has at most ${menuLimits.levels} levels.`);
  }
  return parent.children;
}

function depthOf(menu: readonly MenuItem[], id: number): number {
  const within = menu.find((one) => itemIn([one], id) !== undefined);
  if (within === undefined) return 0;
  return within.item.id === id ? 1 : 1 + depthOf(within.children, id);
}

async function place(
  tx: Tx,
  neighbours: readonly MenuItem[],
  id: number,
  position = neighbours.length,
): Promise<void> {
  const ids = neighbours.map(({ item }) => item.id);
  await orderMenuItems(tx, ids.toSpliced(Math.min(position, ids.length), 0, id));
}

function countItems(items: readonly MenuItem[]): number {
  return items.reduce((sum, { children }) => sum + 1 + countItems(children), 0);
}

async function reread(tx: Tx, site: SiteRow, id: number): Promise<MenuItem> {
  return required(itemIn(await loadMenu(tx, site), id));
}

function required(item: MenuItem | undefined): MenuItem {
  if (item === undefined) throw new NotFound('Menu item');
  return item;
}
