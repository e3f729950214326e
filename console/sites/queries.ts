import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { answer, api, isGone, type Schemas, taggedAnswer } from '../kit/api.js';
import type { PageQuery } from '../kit/paged-rows.js';
import type { PagesSearch, SitesSearch } from './search.js';

export type Site = Schemas['SiteResponse'];
export type ListedPage = Schemas['PageSummaryResponse'];
export type MenuItem = Schemas['MenuItemResponse'];
export type Theme = Schemas['ThemeResponse'];
export type ThemeSettings = Theme['defaultSettings'];
export type CrawledUrl = Schemas['CrawledUrlResponse'];

export const pageSize = 50;
/** As many as a page of the API can have; a menu of more is none. */
const manyRows = 100;
/** No stream tells of crawls: while one is under way, it is read again. */
const crawlingMs = 3_000;

export interface SitePath {
  uuid: string;
  siteId: number;
}
export const pathOf = ({ uuid, siteId }: SitePath) => ({ workspace_uuid: uuid, site_id: siteId });

/** What an act on sites may change: keys of queries, after that of the workspace. */
export const sitesChanged: readonly QueryKey[] = [['sites']];

export function sitesPage(uuid: string, { search, readers }: SitesSearch, page: number): PageQuery<Site> {
  const isPublic = readers === undefined ? undefined : readers === 'public';
  const query = { search, isPublic, page, pageSize, sortBy: 'name', sortOrder: 'asc' } as const;
  return {
    queryKey: [uuid, 'sites', 'page', query],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/sites', { params: { path: { workspace_uuid: uuid }, query }, signal }),
      ),
  };
}

/** A site, with the mark by which the API knows that it is still so. */
export function siteQuery(at: SitePath) {
  return queryOptions({
    queryKey: [at.uuid, 'sites', at.siteId],
    // A colleague may have changed it meanwhile.
    refetchOnWindowFocus: 'always',
    queryFn: ({ signal }) =>
      taggedAnswer(api.GET('/w/{workspace_uuid}/sites/{site_id}', { params: { path: pathOf(at) }, signal })),
    refetchInterval: ({ state }) => (state.data?.body.crawl === true ? crawlingMs : false),
  });
}

export function themesQuery(uuid: string) {
  return queryOptions({
    queryKey: [uuid, 'site-themes'],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/sites/themes', { params: { path: { workspace_uuid: uuid } }, signal }),
      ),
  });
}

export function pagesPage(at: SitePath, filters: PagesSearch, page: number): PageQuery<ListedPage> {
  const query = { ...filters, page, pageSize, sortBy: 'updatedAt', sortOrder: 'desc' } as const;
  return {
    queryKey: [at.uuid, 'sites', at.siteId, 'pages', 'page', query],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/sites/{site_id}/pages', {
          params: { path: pathOf(at), query },
          signal,
        }),
      ),
  };
}

/** Pages to choose one of, found by a part of slug or title. */
export function foundPages(at: SitePath, search: string) {
  const query = { search: search || undefined, pageSize: manyRows, sortBy: 'slug' } as const;
  return queryOptions({
    queryKey: [at.uuid, 'sites', at.siteId, 'pages', 'found', search],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/sites/{site_id}/pages', {
          params: { path: pathOf(at), query },
          signal,
        }),
      ),
  });
}

export function menuQuery(at: SitePath) {
  return queryOptions({
    queryKey: [at.uuid, 'sites', at.siteId, 'menu'],
    refetchOnWindowFocus: 'always',
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/sites/{site_id}/menu', { params: { path: pathOf(at) }, signal })),
  });
}

/** What may not be there; null: it is not. */
const orNull = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error: Error) => {
    if (isGone(error)) return null;
    throw error;
  });

export function domainQuery(at: SitePath) {
  return queryOptions({
    queryKey: [at.uuid, 'sites', at.siteId, 'domain'],
    refetchOnWindowFocus: 'always',
    queryFn: ({ signal }) =>
      orNull(
        answer(
          api.GET('/w/{workspace_uuid}/sites/{site_id}/domain', { params: { path: pathOf(at) }, signal }),
        ),
      ),
  });
}

export function scheduleQuery(at: SitePath) {
  return queryOptions({
    queryKey: [at.uuid, 'sites', at.siteId, 'schedule'],
    queryFn: ({ signal }) =>
      orNull(
        answer(
          api.GET('/w/{workspace_uuid}/sites/{site_id}/crawl/schedule', {
            params: { path: pathOf(at) },
            signal,
          }),
        ),
      ),
  });
}

/** @param isUnderWay whether more may follow soon */
export function crawledUrls(
  at: SitePath,
  outcome: CrawledUrl['outcome'] | undefined,
  isUnderWay: boolean,
  page: number,
): PageQuery<CrawledUrl> {
  const query = { outcome: outcome ?? undefined, page, pageSize };
  return {
    // Once it has ended, all is read once more.
    queryKey: [at.uuid, 'sites', at.siteId, 'crawled', { ...query, isUnderWay }],
    refetchInterval: isUnderWay ? crawlingMs : false,
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/sites/{site_id}/crawl/urls', {
          params: { path: pathOf(at), query },
          signal,
        }),
      ),
  };
}
