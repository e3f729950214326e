import type { MenuItem } from '../../../../domain/sites/menus/menu-tree.js';
import type { MenuItemResponse } from './schemas.js';

/** @param isForVisitors whether titles are those that visitors read */
export function presentMenuItem({ item, page, children }: MenuItem, isForVisitors = false): MenuItemResponse {
  return {
    ...item,
    pageSlug: page?.slug ?? null,
    pageTitle: (isForVisitors ? page?.publishedTitle : page?.title) ?? null,
    children: children.map((child) => presentMenuItem(child, isForVisitors)),
  };
}
