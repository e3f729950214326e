import type { CommandContext } from '../../../../domain/kernel/context.js';
import {
  createMenuItem,
  deleteMenuItem,
  getMenu,
  getMenuItem,
  lockMenuForChange,
  updateMenuItem,
} from '../../../../domain/sites/menus/menu-items.js';
import { readMenu } from '../../../../domain/sites/public/read-menu.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { resource } from '../../../http/resource.js';
import { editors, visitors } from '../access.js';
import { presentMenuItem } from './presenter.js';
import {
  CreateMenuItemRequest,
  MenuItemResponse,
  MenuTreeResponse,
  UpdateMenuItemRequest,
} from './schemas.js';

const tag = 'Menus';

const menu = resource({
  tag: 'Menus',
  path: '/w/{workspace_uuid}/sites/{site_id}/menu',
  read: editors.read,
  write: editors.write,
});

const get = menu.get({
  operationId: 'getMenu',
  summary: 'Get the menu of a site',
  description: 'The whole tree, as its editors have it.',
  response: MenuTreeResponse,
  etag: true,
  handler: async ({ context, params }) => {
    const menu = await getMenu(context, params.site_id);
    return { siteId: params.site_id, items: menu.map((item) => presentMenuItem(item)) };
  },
});

const create = menu.create('/items', {
  operationId: 'createMenuItem',
  summary: 'Create a menu item',
  description: 'A menu has at most 200 items, in at most three levels.',
  body: CreateMenuItemRequest,
  example: {
    body: { label: 'Start', itemType: 'page', pageId: demo.pageId, translations: { 'de-DE': 'Anfang' } },
  },
  response: MenuItemResponse,
  errors: { 409: 'The menu has as many items as allowed (`too_many_menu_items`).' },
  handler: async ({ context, params, body }) =>
    presentMenuItem(await createMenuItem(context, params.site_id, body)),
});

const getItem = menu.get('/items/{menu_item_id}', {
  operationId: 'getMenuItem',
  summary: 'Get a menu item with all below it',
  response: MenuItemResponse,
  etag: true,
  handler: async ({ context, params }) =>
    presentMenuItem(await getMenuItem(context, params.site_id, params.menu_item_id)),
});

const ifMatch = {
  current: getItem,
  lock: ({ context, params }: { context: CommandContext; params: { site_id: number } }) =>
    lockMenuForChange(context, params.site_id),
};

const update = menu.update('/items/{menu_item_id}', {
  operationId: 'updateMenuItem',
  summary: 'Change or move a menu item',
  description:
    'An item cannot be moved below itself. Another itemType drops the page or address of the earlier one.',
  body: UpdateMenuItemRequest,
  example: { body: { label: 'Home', position: 0 } },
  response: MenuItemResponse,
  ifMatch,
  handler: async ({ context, params, body }) =>
    presentMenuItem(await updateMenuItem(context, params.site_id, params.menu_item_id, body)),
});

const remove = menu.remove('/items/{menu_item_id}', {
  operationId: 'deleteMenuItem',
  summary: 'Delete a menu item with all below it',
  example: { params: { menu_item_id: demo.menuItemToDelete }, once: true },
  ifMatch,
  handler: async ({ context, params }) => deleteMenuItem(context, params.site_id, params.menu_item_id),
});

const read = defineRoute({
  operationId: 'readMenu',
  method: 'GET',
  path: '/s/{workspace_uuid}/{site_uuid}/menu',
  tag,
  summary: 'Read the menu of a site',
  description:
    'For visitors of a public site and for members of the workspace: active items, and of those that lead to a page the ones whose page is published. What is below an item that is left out is left out as well.',
  access: visitors,
  response: { status: 200, schema: MenuTreeResponse },
  etag: true,
  handler: async ({ context, params }) => {
    const { site, items } = await readMenu(context, params.site_uuid);
    return { siteId: site.id, items: items.map((item) => presentMenuItem(item, true)) };
  },
});

export const menuRoutes = [get, create, getItem, update, remove, read];
