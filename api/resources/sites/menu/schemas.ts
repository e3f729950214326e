import Type, { type Static } from 'typebox';
import { menuLimits } from '../../../../domain/sites/menus/menu-items.js';
import { type AnswerOf, Id, Name, Nullable, OneOf, Picked, Timestamp } from '../../../http/schemas.js';
import { Locale } from '../access.js';

const itemTypes = ['page', 'url', 'products', 'none'] as const;
const targets = ['_self', '_blank'] as const;

const ItemType = OneOf(itemTypes, {
  description:
    'What the item leads to: a page of the site, another address, the products of the site (which its theme shows), or nothing: a heading',
});

export const MenuItemResponse = Type.Cyclic(
  {
    MenuItemResponse: Picked({
      id: Id,
      siteId: Id,
      label: Type.String({ description: 'What people read; `translations` has it in other locales' }),
      itemType: ItemType,
      position: Type.Integer({ minimum: 0, description: 'From 0, among the items with the same parent' }),
      pageId: Nullable(Type.Integer({ ...Id, description: 'Page that it leads to' })),
      pageSlug: Nullable(Type.String({ description: 'Slug of the page' })),
      pageTitle: Nullable(Type.String({ description: 'Title of the page, in its primary locale' })),
      url: Nullable(Type.String({ description: 'Address that it leads to, of an item of the type url' })),
      parentId: Nullable(Type.Integer({ ...Id, description: 'Item above; null: it is at the top' })),
      icon: Nullable(Type.String({ description: 'Name of an icon of the theme' })),
      cssClass: Nullable(Type.String({ description: 'Class for style sheets of the theme' })),
      target: Nullable(OneOf(targets, { description: 'Where it opens; null: in the same window' })),
      isActive: Type.Boolean({ description: 'False: visitors do not see it, nor what is below it' }),
      translations: Type.Record(Type.String(), Type.String(), { description: 'Labels by locale' }),
      createdAt: Timestamp,
      updatedAt: Timestamp,
      children: Type.Array(Type.Ref('MenuItemResponse'), {
        description: 'The items below it, in their order',
      }),
    }),
  },
  'MenuItemResponse',
);
export type MenuItemResponse = AnswerOf<typeof MenuItemResponse>;

export const MenuTreeResponse = Type.Object(
  {
    siteId: Id,
    items: Type.Array(MenuItemResponse, { description: 'The items at the top, in their order' }),
  },
  { $id: 'MenuTreeResponse' },
);
export type MenuTreeResponse = Static<typeof MenuTreeResponse>;

const fields = {
  pageId: Type.Optional(
    Nullable(Type.Integer({ ...Id, description: 'Page of the site, of an item of the type page' })),
  ),
  url: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 2_048,
        description:
          'Of an item of the type url: https, http, mailto or tel, a path that begins with / or a #fragment',
      }),
    ),
  ),
  icon: Type.Optional(
    Nullable(
      Type.String({
        pattern: '^[a-z0-9][a-z0-9_:-]*$',
        maxLength: 60,
        description: 'Name of an icon of the theme',
      }),
    ),
  ),
  cssClass: Type.Optional(
    Nullable(
      Type.String({
        pattern: '^[A-Za-z_-][A-Za-z0-9_ -]*$',
        maxLength: 100,
        description: 'Class for style sheets of the theme',
      }),
    ),
  ),
  target: Type.Optional(
    Nullable(OneOf(targets, { description: 'Where it opens; null: in the same window' })),
  ),
  isActive: Type.Optional(
    Type.Boolean({ description: 'False: visitors do not see it, nor what is below it' }),
  ),
  translations: Type.Optional(
    Type.Record(Locale, Name(200), { maxProperties: 30, description: 'Labels by locale' }),
  ),
  parentId: Type.Optional(
    Nullable(
      Type.Integer({
        ...Id,
        description: `Item above; null: at the top. A menu has ${menuLimits.levels} levels`,
      }),
    ),
  ),
  position: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: menuLimits.items,
      description: 'From 0, among its neighbours. Default: the last',
    }),
  ),
};

export const CreateMenuItemRequest = Type.Object({ label: Name(200), itemType: ItemType, ...fields });

export const UpdateMenuItemRequest = Type.Object(
  { label: Type.Optional(Name(200)), itemType: Type.Optional(ItemType), ...fields },
  {
    description: 'Omitted fields keep their values. A parentId or position moves the item with all below it.',
  },
);
