import type { MenuItem } from '../../../../domain/sites/menus/menu-tree.js';
import type { MenuItemResponse } from './schemas.js';

/** @param isForVisitors whether titles are those that visitors read */
export function presentMenuItem({ item, page, children }: MenuItem, isForVisitors = false): MenuItemResponse {
  const { id, siteId, label, itemType, position, pageId, url, parentId } = item;
  const { icon, cssClass, target, isActive, translations } = item;
  const pageTitle = (isForVisitors ? page?.publishedTitle : page?.title) ?? null;
  return {
    ...{ id, siteId, label, itemType, position, pageId, url, parentId },
    ...{ icon, cssClass, target, isActive, translations },
    pageSlug: page?.slug ?? null,
    pageTitle,
    createdAt: item.createdAt.toISOString(),
    updatedAt: item.updatedAt.toISOString(),
    children: children.map((child) => presentMenuItem(child, isForVisitors)),
  };
}
