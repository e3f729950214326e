import { prepared } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import { AssignmentPageModel } from './models/assignment-page.js';
import { SitePageModel } from './models/site-page.js';

/** A published page that is attached to an assignment, as visitors read it in its primary locale. */
export interface PageOfAssignment {
  assignmentId: number;
  id: number;
  uuid: string;
  siteId: number;
  siteUuid: string;
  slug: string;
  isHomePage: boolean;
  locale: string;
  locales: string[];
  title: string;
  metaDescription: string | null;
  content: Record<string, unknown>;
  html: string;
  markdown: string;
  amp: string;
  publishedAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** UTF-8 bytes of what an answer has of pages, of which at least one is shown. */
const shownBytes = 524_288;

/** The published pages that are attached to these assignments, and which of the assignments have more than are shown. */
export async function pagesOfAssignments(
  tx: EnteredTx,
  assignmentIds: readonly number[],
): Promise<{ pages: PageOfAssignment[]; cut: Set<number> }> {
  const rows = await prepared<PageOfAssignment & { bytes: number }>(
    tx,
    `select a.assignment_id as "assignmentId", p.id, p.uuid, p.site_id as "siteId", s.uuid as "siteUuid", p.slug,
       coalesce(s.home_page_id = p.id, false) as "isHomePage", d.locale, d.published_title as title,
       d.published_meta_description as "metaDescription", d.published_content as content,
       d.published_html as html, d.published_markdown as markdown, d.published_amp as amp,
       p.published_at as "publishedAt", p.created_at as "createdAt", d.published_at as "updatedAt",
       array(select o.locale from site_page_documents o
         where o.page_id = p.id and o.published_version is not null order by o.locale) as locales,
       d.bytes::int as bytes
     from (select id, assignment_id, page_id from assignment_pages where assignment_id = any(?)) a
     join lateral (select * from site_pages where id = a.page_id and published_at is not null limit 1) p on true
     join lateral (select * from sites where id = p.site_id limit 1) s on true
     join lateral (select o.*, octet_length(o.published_content::text) + octet_length(o.published_html)
         + octet_length(o.published_markdown) + octet_length(o.published_amp) as bytes
       from site_page_documents o where o.page_id = p.id and o.published_version is not null
       order by (o.locale = s.primary_locale) desc, o.id limit 1) d on true
     order by a.id limit ?`,
    [assignmentIds, maxShown + 1],
  );
  const cut = new Set<number>();
  let sum = 0;
  const pages = rows.filter(({ assignmentId, bytes }, at) => {
    sum += bytes;
    const isShown = at < maxShown && (at === 0 || sum <= shownBytes);
    if (!isShown) cut.add(assignmentId);
    return isShown;
  });
  return { pages: pages.map(({ bytes: _, ...page }) => page), cut };
}

const maxShown = 100;

/** Attaches pages to an assignment; those that are attached stay as they are. */
export async function attachPages(
  tx: Tx,
  { assignmentId, pageIds, memberId }: { assignmentId: number; pageIds: readonly number[]; memberId: number },
): Promise<void> {
  await prepared(
    tx,
    `insert into assignment_pages (workspace_id, assignment_id, page_id, attached_by_member_id)
     select ?, ?, page_id, ? from unnest(?::bigint[]) with ordinality as given(page_id, place) order by place
     on conflict do nothing`,
    [tx.workspaceId, assignmentId, memberId, pageIds],
  );
}

/** @returns whether it was attached */
export async function detachPage(tx: Tx, assignmentId: number, pageId: number): Promise<boolean> {
  const removed = await AssignmentPageModel.deleteWhere(tx, 'assignment_id = ? and page_id = ?', [
    assignmentId,
    pageId,
  ]);
  return removed > 0;
}

export async function countPagesOfAssignment(tx: Tx, assignmentId: number): Promise<number> {
  return AssignmentPageModel.count(tx, 'assignment_id = ?', [assignmentId]);
}

/** Which of these pages the workspace has and visitors can read. */
export async function publishedAmong(tx: Tx, pageIds: readonly number[]): Promise<Set<number>> {
  const rows = await SitePageModel.pick(tx, ['id'], 'id = any(?) and published_at is not null', [pageIds]);
  return new Set(rows.map(({ id }) => id));
}
