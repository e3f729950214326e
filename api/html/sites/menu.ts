import { problemOfLink } from '../../../domain/sites/documents/addresses.js';
import type { MenuItem } from '../../../domain/sites/menus/menu-tree.js';
import { type Html, html } from '../../http/html.js';
import type { SiteLinks } from './site-paths.js';
import type { Words } from './words.js';

export interface MenuPlace {
  links: SiteLinks;
  /** The locale of the words. */
  locale: string;
  /** The locale that links keep. */
  askedLocale: string;
  /** The page that is read. */
  pageId: number | undefined;
  words: Words;
}

/** The menu of a site; nothing without items. */
export function writeMenu(items: readonly MenuItem[], place: MenuPlace): Html | undefined {
  if (items.length === 0) return undefined;
  return html`<nav class="menu" aria-label="${place.words.menu}">${writeItems(items, place)}</nav>
`;
}

function writeItems(items: readonly MenuItem[], place: MenuPlace): Html {
  return html`<ul>${items.map((one) => {
    const below = one.children.length === 0 ? undefined : writeItems(one.children, place);
    return html`<li${classesOf(one)}>${writeItem(one, place)}${below}</li>`;
  })}</ul>`;
}

function classesOf({ item: { icon, cssClass } }: MenuItem): Html | undefined {
  const classes = [cssClass, icon === null ? null : `icon-${icon}`].filter((one) => one !== null);
  return classes.length === 0 ? undefined : html` class="${classes.join(' ')}"`;
}

/** Products are shown as headings: the service has none that they could lead to. */
function writeItem(one: MenuItem, place: MenuPlace): Html {
  const { item } = one;
  const label = item.translations[place.locale] ?? item.label;
  const to = addressOf(one, place);
  if (to === undefined) return html`<span>${label}</span>`;
  const isCurrent = item.pageId !== null && item.pageId === place.pageId;
  const current = isCurrent ? html` aria-current="page"` : undefined;
  if (item.target !== '_blank') return html`<a href="${to}"${current}>${label}</a>`;
  return html`<a href="${to}"${current} target="_blank" rel="noopener">${label}<span class="hidden"> (${place.words.newWindow})</span></a>`;
}

function addressOf({ item, page }: MenuItem, { links, askedLocale }: MenuPlace): string | undefined {
  if (item.itemType === 'page') return page && links.page(page, askedLocale);
  // Checked when it was stored, and again: what is shown is always a link.
  if (item.itemType !== 'url' || item.url === null || problemOfLink(item.url) !== undefined) return undefined;
  return item.url.startsWith('/') ? links.written(item.url, askedLocale) : item.url;
}
