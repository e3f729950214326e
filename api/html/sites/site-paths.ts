import type { PageAddress } from '../../../domain/sites/public/show-site.js';

/** What a path of a site leads to. */
export type SitePath =
  | { kind: 'page'; address: PageAddress }
  | { kind: 'home' | 'sitemap' | 'robots' | 'feed' | 'icon' | 'nothing' }
  | { kind: 'styles'; name: string }
  /** The path of what is meant. */
  | { kind: 'elsewhere'; path: string };

/** Where browsers look for the icon of a site by themselves, and where its pages say that it is. */
export const iconPath = '/favicon.ico';

const slugForm = /^[a-z0-9_-]{1,100}$/;
const idForm = /^[0-9]{1,15}$/;
const stylesForm = /^\/assets\/(styles-[A-Za-z0-9_-]{16,64}\.css)$/;

/** @param path below the address of the site, as it was sent: `/hours` */
export function readSitePath(path: string): SitePath {
  if (path === '' || path === '/') return { kind: 'home' };
  if (path === '/sitemap.xml') return { kind: 'sitemap' };
  if (path === '/robots.txt') return { kind: 'robots' };
  if (path === '/feed') return { kind: 'feed' };
  if (path === iconPath) return { kind: 'icon' };
  const styles = stylesForm.exec(path)?.[1];
  if (styles !== undefined) return { kind: 'styles', name: styles };
  const name = path.slice(1);
  if (idForm.test(name)) return { kind: 'page', address: { id: Number(name) } };
  if (slugForm.test(name)) return { kind: 'page', address: { slug: name } };
  if (name.endsWith('/') && slugForm.test(name.slice(0, -1))) {
    return { kind: 'elsewhere', path: path.slice(0, -1) };
  }
  return { kind: 'nothing' };
}

/** The addresses of a site, as one page of it writes them. */
export class SiteLinks {
  /**
   * @param place.base what paths of the site begin with where the page is read: empty at its domain
   * @param place.canonical the address of the site that search engines are told, without a slash at its end
   * @param place.hasDomain whether a domain leads to the site, where alone scripts of others run
   * @param place.service the address of the service, if the page is read elsewhere; else empty
   * @param place.preview what the query of a preview has, which its links keep; undefined: it is none
   */
  constructor(
    readonly place: {
      base: string;
      canonical: string;
      service: string;
      hasDomain: boolean;
      preview?: string;
    },
    readonly primaryLocale: string,
    readonly homePageId: number | null,
  ) {}

  /** The path of a page, for links of other pages. */
  page(page: { id: number; slug: string }, locale: string): string {
    return this.#localized(this.place.base + this.#below(page), locale) || '/';
  }

  home(locale: string): string {
    return this.#localized(this.place.base, locale) || '/';
  }

  /** The one address of a page in a locale. */
  canonical(page: { id: number; slug: string } | undefined, locale: string): string {
    const below = page === undefined ? '' : this.#below(page);
    return this.#localized(this.place.canonical + below, locale);
  }

  below(path: string): string {
    return this.place.base + path;
  }

  styles(name: string): string {
    const { preview } = this.place;
    return `${this.below(`/assets/${name}`)}${preview === undefined ? '' : `?${preview}`}`;
  }

  canonicalBelow(path: string): string {
    return this.place.canonical + path;
  }

  /** A path of a picture: files are at the service. */
  writtenFile(path: string): string {
    return this.place.service + path;
  }

  /** A path that an editor has written: to a page of the site, or, below `/api` and `/s`, to the service. */
  written(path: string, locale: string): string {
    if (/^\/(api|s)\//.test(path)) return this.place.service + path;
    const [, way = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(path) ?? [];
    const toSite = this.place.base + (way === '/' && this.place.base !== '' ? '' : way);
    return (query === '' ? this.#localized(toSite, locale) : toSite + query) + fragment;
  }

  #below({ id, slug }: { id: number; slug: string }): string {
    return id === this.homePageId ? '' : `/${slug}`;
  }

  #localized(address: string, locale: string): string {
    const inLocale = locale === this.primaryLocale ? undefined : `locale=${encodeURIComponent(locale)}`;
    const query = [inLocale, this.place.preview].filter((one) => one !== undefined).join('&');
    return query === '' ? address : `${address === '' ? '/' : address}?${query}`;
  }
}
