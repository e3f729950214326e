import { offsetOf, type PageOf, type PageRequest } from '../../domain/lib/paging.js';
import { containsPattern } from '../lib/contains-pattern.js';
import { columnOf, toRow } from '../lib/table-model.js';
import { prepared } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import { SitePageModel, type SitePageRow } from './models/site-page.js';
import { SitePageSlugModel } from './models/site-page-slug.js';

export type { SitePageRow } from './models/site-page.js';

export type PageStatus = 'draft' | 'scheduled' | 'published';

export interface SitePageFilter {
  status?: PageStatus;
  /** A part of the slug, or of a title in any locale. */
  search?: string;
}

/** A page without what a crawl has read, which may be large. */
export type ListedPage = Omit<SitePageRow, 'sourceMetadata' | 'sourceHtml' | 'sourceMarkdown'>;

const unlisted = ['sourceMetadata', 'sourceHtml', 'sourceMarkdown'];
const listed = SitePageModel.fields.filter((field) => !unlisted.includes(field)).map(columnOf);

export type SitePageSort = 'slug' | 'createdAt' | 'updatedAt';

const sortColumns = { slug: 'slug', createdAt: 'created_at', updatedAt: 'updated_at' } as const;

export type SitePageValues = Pick<SitePageRow, 'siteId' | 'slug' | 'createdByMemberId'> &
  Partial<Omit<SitePageRow, 'id' | 'workspaceId' | 'uuid'>>;

export async function insertSitePage(tx: Tx, values: SitePageValues): Promise<SitePageRow> {
  return SitePageModel.insert(tx, values);
}

export async function findSitePage(
  tx: EnteredTx,
  siteId: number,
  id: number,
): Promise<SitePageRow | undefined> {
  return SitePageModel.first(tx, 'id = ? and site_id = ?', [id, siteId]);
}

/** A page of whichever site. */
export async function findSitePageById(tx: Tx, id: number): Promise<SitePageRow | undefined> {
  return SitePageModel.find(tx, id);
}

/** `findSitePage`, and locks the row until the transaction ends, as all changes of a page and its documents do. */
export async function lockSitePage(tx: Tx, siteId: number, id: number): Promise<SitePageRow | undefined> {
  return SitePageModel.first(tx, 'id = ? and site_id = ? for no key update', [id, siteId]);
}

/** SQL for the id of the page of a site that has a slug, or had it before. Its values: site and slug, twice. */
export const pageIdOfSlug = `(select id from site_pages where site_id = ? and slug = ?
  union all select page_id from site_page_slugs where site_id = ? and slug = ? limit 1)`;

/** The page that has this slug, or had it before. */
export async function findSitePageBySlug(
  tx: EnteredTx,
  siteId: number,
  slug: string,
): Promise<SitePageRow | undefined> {
  return SitePageModel.first(tx, `id = ${pageIdOfSlug}`, [siteId, slug, siteId, slug]);
}

export async function selectSitePages(
  tx: Tx,
  siteId: number,
  { status, search }: SitePageFilter,
  page: PageRequest<SitePageSort>,
): Promise<PageOf<ListedPage>> {
  const query = SitePageModel.query(tx).where({ site_id: siteId });
  if (status === 'published') query.whereNotNull('published_at');
  else if (status !== undefined) {
    query.whereNull('published_at');
    if (status === 'draft') query.whereNull('publish_at');
    else query.whereNotNull('publish_at');
  }
  if (search !== undefined) {
    const part = containsPattern(search);
    query.where((any) => {
      any
        .whereILike('slug', part)
        .orWhereRaw('id in (select page_id from site_page_documents where site_id = ? and title ilike ?)', [
          siteId,
          part,
        ]);
    });
  }
  const total = await query.clone().resultSize();
  const rows = await query
    .select(...listed)
    .orderBy(sortColumns[page.sortBy], page.sortOrder)
    .orderBy('id', page.sortOrder)
    .limit(page.pageSize)
    .offset(offsetOf(page));
  return { total, items: rows.map(toRow) };
}

export async function patchSitePage(
  tx: Tx,
  id: number,
  changes: Partial<Omit<SitePageRow, 'id' | 'workspaceId' | 'uuid'>>,
): Promise<SitePageRow> {
  return SitePageModel.patch(tx, id, changes);
}

export async function removeSitePage(tx: Tx, id: number): Promise<void> {
  await SitePageModel.deleteWhere(tx, 'id = ?', [id]);
}

/** Slugs of the site that a page has or had, among these. */
export async function takenSlugs(tx: Tx, siteId: number, prefix: string): Promise<Set<string>> {
  const rows = await SitePageModel.pick(tx, ['slug'], 'site_id = ? and starts_with(slug, ?)', [
    siteId,
    prefix,
  ]);
  return new Set(rows.map(({ slug }) => slug));
}

const maxEarlierSlugs = 20;

/** Keeps an earlier slug of a page, so that it leads to the page; of each page the newest twenty. */
export async function keepEarlierSlug(
  tx: Tx,
  page: Pick<SitePageRow, 'id' | 'siteId'>,
  slug: string,
): Promise<void> {
  await prepared(
    tx,
    `insert into site_page_slugs (workspace_id, site_id, page_id, slug) values (?, ?, ?, ?)
     on conflict (workspace_id, site_id, slug) do update set page_id = excluded.page_id, created_at = now()`,
    [tx.workspaceId, page.siteId, page.id, slug],
  );
  const older = `page_id = ? and id not in (
    select id from site_page_slugs where page_id = ? order by created_at desc, id desc limit ?)`;
  await SitePageSlugModel.deleteWhere(tx, older, [page.id, page.id, maxEarlierSlugs]);
}

/** A slug that a page has leads to no other page. */
export async function releaseEarlierSlug(tx: Tx, siteId: number, slug: string): Promise<void> {
  await SitePageSlugModel.deleteWhere(tx, 'site_id = ? and slug = ?', [siteId, slug]);
}

/** Lists the pages that are to be published by a time, in order of id. */
export async function selectDuePages(
  tx: Tx,
  { by, after, limit }: { by: Date; after: number; limit: number },
): Promise<Pick<SitePageRow, 'id' | 'uuid' | 'siteId'>[]> {
  // The few scheduled ones are found by their time first, and not by walking through all pages in order of id.
  return prepared(
    tx,
    `with due as materialized (select id, uuid, site_id from site_pages
       where publish_at is not null and publish_at <= ?)
     select id, uuid, site_id as "siteId" from due where id > ? order by id limit ?`,
    [by, after, limit],
  );
}

/** The slugs of those of these pages that are published, by their ids. */
export async function selectPublishedSlugs(
  tx: EnteredTx,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const published = 'id = any(?) and published_at is not null';
  const rows = await SitePageModel.pick(tx, ['id', 'slug'], published, [ids]);
  return new Map(rows.map(({ id, slug }) => [id, slug]));
}
