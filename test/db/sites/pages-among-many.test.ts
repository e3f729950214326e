import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { pagesOfAssignments } from '../../../db/sites/assignment-pages.js';
import {
  findShownPage,
  isWithdrawnPage,
  selectNewestPages,
  selectShownPages,
} from '../../../db/sites/shown-pages.js';
import { selectMenuItems, selectPagesOfMenu } from '../../../db/sites/site-menu-items.js';
import { findPublishedPage } from '../../../db/sites/site-page-documents.js';
import { findSitePageBySlug, selectDuePages } from '../../../db/sites/site-pages.js';
import type { SiteRow } from '../../../db/sites/sites.js';
import { explaining } from '../../support/db/explained.js';
import { fillTables } from '../../support/db/fill-tables.js';
import { addSite } from '../../support/sites/add-site.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const total = Number(process.env.TEST_ROWS ?? 20_000);

const { database, workspace } = useWorkspace();

/** The last of the sites of a thousand pages each. */
let site: SiteRow;
const slug = 'page-7';
/** As many as a site may have. */
const pages = 1_000;

beforeAll(async () => {
  site = await addSite(workspace);
  const sites = Math.max(2, Math.round(total / pages));
  // Of the others there is nothing else, which nobody looks up.
  const ids = Array.from({ length: sites }, (_, at) => site.id - (sites - 1 - at));
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    await fillTables(client, ['site_pages', 'site_page_documents', 'site_menu_items'], async () => {
      await client.query(
        `insert into site_pages (workspace_id, site_id, slug, published_at)
         select $1, site, 'page-' || i, now() from unnest($2::bigint[]) site, generate_series(1, $3::int) i`,
        [workspace.workspaceId, ids, pages],
      );
      await client.query(
        `insert into site_page_documents (workspace_id, page_id, site_id, locale, title, content, html, markdown, amp,
           content_bytes, published_version, published_title, published_content, published_html, published_markdown,
           published_amp, published_at)
         select workspace_id, id, site_id, locale, slug, '{}', '<p>', '', '', 2, 1, slug, '{}', '<p>', '', '', now()
         from site_pages, unnest('{en-US,de-DE}'::text[]) locale where workspace_id = $1`,
        [workspace.workspaceId],
      );
      await client.query(
        `insert into site_menu_items (workspace_id, site_id, page_id, label, item_type, position)
         select workspace_id, site_id, id, slug, 'page', id % 50 from site_pages
         where workspace_id = $1 and slug < 'page-15'`,
        [workspace.workspaceId],
      );
    });
  } finally {
    await client.end();
  }
}, 300_000);

/** How many rows each statement reads, and whether it walks through a table. */
const read = (work: Parameters<typeof explaining>[2]) =>
  explaining(database.appUrl, workspace.workspaceId, work, /^(select|with) .*\b(site_|assignment_pages)/s);

const inside =
  (work: Parameters<typeof database.database.inWorkspace>[1]): Parameters<typeof explaining>[2] =>
  (db) =>
    db.inWorkspace(workspace.workspaceId, work);

test.each([
  ['a published page', 30, inside((tx) => findPublishedPage(tx, site, { slug, id: null, locale: 'de-DE' }))],
  [
    'a page that does not exist',
    // Without statistics, another index of the pages of the site may be taken.
    pages + 10,
    inside((tx) => findPublishedPage(tx, site, { slug: 'no', id: null, locale: null })),
  ],
  [
    'a page in the browser',
    30,
    inside((tx) => findShownPage(tx, site, { slug }, { locale: 'de-DE', isAmp: false })),
  ],
  ['a page that was withdrawn', 10, inside((tx) => isWithdrawnPage(tx, site, { slug }))],
  ['the sitemap', 4 * pages, inside((tx) => selectShownPages(tx, site))],
  ['the feed', 6 * pages, inside((tx) => selectNewestPages(tx, site, { locale: 'en-US', most: 50 }))],
  ['a page for its editors', 10, inside((tx) => findSitePageBySlug(tx, site.id, slug))],
  ['the menu', 300, inside((tx) => selectMenuItems(tx, site.id))],
  ['pages that are due', 10, inside((tx) => selectDuePages(tx, { by: new Date(), after: 0, limit: 200 }))],
  ['pages of assignments', 10, inside((tx) => pagesOfAssignments(tx, [1, 2, 3]))],
])(`among ${total} pages, %s is found by an index`, async (_, most, work) => {
  const explained = await read(work);
  expect(explained.length).toBeGreaterThan(0);
  for (const { scans, rows } of explained) {
    expect(scans.filter((scan) => scan.startsWith('Seq Scan site_page'))).toEqual([]);
    expect(rows).toBeLessThanOrEqual(most);
  }
});

test(`among ${total} pages, those of a menu are as many as it has items`, async () => {
  const [plan] = await read(inside((tx) => selectPagesOfMenu(tx, site.id, 'en-US')));
  expect(plan?.rows).toBeLessThan(3_000);
});
