import type { MenuItemType, SiteMenuItemRow } from '../../../db/sites/site-menu-items.js';
import { findSitePage } from '../../../db/sites/site-pages.js';
import type { Tx } from '../../../db/tx.js';
import { type FieldError, InvalidInput } from '../../lib/errors.js';
import { canonicalLocale } from '../../lib/locales.js';
import { problemOfLink } from '../documents/addresses.js';

/** What editors say of a menu item. */
export interface MenuItemFields {
  label: string;
  itemType: MenuItemType;
  /** Of the type `page`. */
  pageId: number | null;
  /** Of the type `url`. */
  url: string | null;
  icon: string | null;
  cssClass: string | null;
  target: SiteMenuItemRow['target'];
  isActive: boolean;
  /** Labels by locale. */
  translations: Record<string, string>;
}

/** @throws InvalidInput with every field that does not fit */
export async function checkMenuItem(tx: Tx, siteId: number, fields: MenuItemFields): Promise<void> {
  const errors = [...addressErrors(fields), ...translationErrors(fields)];
  const { pageId } = fields;
  if (pageId !== null && (await findSitePage(tx, siteId, pageId)) === undefined) {
    errors.push({ pointer: '/pageId', message: 'There is no such page of this site.' });
  }
  if (errors.length > 0) throw InvalidInput.fields(errors);
}

function addressErrors({ itemType, pageId, url }: MenuItemFields): FieldError[] {
  const errors: FieldError[] = [];
  if ((pageId !== null) !== (itemType === 'page')) {
    errors.push({ pointer: '/pageId', message: 'belongs to items of the type page, which need it' });
  }
  if ((url !== null) !== (itemType === 'url')) {
    errors.push({ pointer: '/url', message: 'belongs to items of the type url, which need it' });
  }
  const problem = url === null ? undefined : problemOfLink(url);
  if (problem !== undefined) errors.push({ pointer: '/url', message: problem });
  return errors;
}

function translationErrors({ translations }: MenuItemFields): FieldError[] {
  return Object.keys(translations).flatMap((locale) => {
    if (canonicalLocale(locale) === locale) return [];
    const place = locale.slice(0, 60).replaceAll('~', '~0').replaceAll('/', '~1');
    return [
      { pointer: `/translations/${place}`, message: 'is no language tag in its usual form, such as de-DE' },
    ];
  });
}
