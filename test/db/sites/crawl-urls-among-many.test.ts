import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  countQueriesOfPaths,
  findNextRetry,
  findNextUrl,
  findReadElsewhere,
  findUrlByHash,
  queueUrls,
  removeQueuedUrls,
  removeUnusedUrls,
  selectLeads,
  selectUrlsOfCrawl,
  selectUrlsOfPages,
  settleQueuedUrls,
} from '../../../db/sites/site-crawl-urls.js';
import { countRunningCrawls, findCrawl, selectRunningCrawls } from '../../../db/sites/site-crawls.js';
import type { Tx } from '../../../db/tx.js';
import { crawlLimits } from '../../../domain/sites/crawl/limits.js';
import { explaining } from '../../support/db/explained.js';
import { fillTables } from '../../support/db/fill-tables.js';
import { addSite } from '../../support/sites/add-site.js';
import { createWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

/** A million in CI. */
const total = Number(process.env.TEST_ROWS ?? 100_000);
/** As many as a crawl asks for. */
const urlsOfSite = crawlLimits.urls;
const stage = useWorkspace();
let superuser: pg.Client;
let siteId: number;
let pageId: number;
const number = 3;

/** Sites whose sources have as many addresses as crawls ask for: of a fifth a page was made, two fifths wait. */
beforeAll(async () => {
  superuser = new pg.Client({ connectionString: stage.database.superuserUrl });
  await superuser.connect();
  const { workspaceId } = stage.workspace;
  const other = await createWorkspace(stage.database.database);
  siteId = (await addSite(stage.workspace)).id;
  const sites = Array.from({ length: Math.round(total / urlsOfSite) }, (_, at) =>
    at === 0 ? siteId : 1_000_000 + at,
  );
  const tables = ['site_pages', 'site_crawl_urls', 'site_crawls', 'identity.site_crawl_schedules'];
  await fillTables(superuser, tables, async () => {
    await superuser.query(
      `insert into site_pages (workspace_id, site_id, slug, published_at)
       select $1, $2, 'page-' || i, now() from generate_series(1, $3::int) i`,
      [workspaceId, siteId, urlsOfSite / 5],
    );
    const first = await superuser.query('select min(id) as id from site_pages where site_id = $1', [siteId]);
    pageId = Number(first.rows[0].id);
    await superuser.query(
      `insert into site_crawl_urls (workspace_id, site_id, crawl_number, url, url_hash, path_hash, kind, depth, state, outcome,
         page_id, written_version, content_hash, leads_to_hash)
       select $1, site, $3, 'https://s.example/' || i, 'h' || i, 'p' || i / 20, 'page', i % 11,
         case when i % 5 in (1, 2) then 'queued' else 'done' end, case when i % 5 in (1, 2) then null else 'created' end,
         case when i % 5 = 0 then i / 5 + case when site = $5 then $4::bigint - 1 else site * 5000 end end,
         case when i % 5 = 0 then 1 end, 'c' || i, case when i % 5 = 3 then 'h' || i + 2 end
       from unnest($2::bigint[]) site, generate_series(1, $6::int) i`,
      [workspaceId, sites, number, pageId, siteId, urlsOfSite],
    );
    await superuser.query(
      `insert into site_crawls (workspace_id, site_id, number, status, start_url, host, page_limit, excluded_tags, is_conditional,
         started_by_member_id, deadline_at)
       select $1, i, 3, case when i <= 3 then 'running' else 'completed' end, 'https://s.example/', 's.example', 200, '{}', false, 1, now()
       from generate_series(1, $2::int) i`,
      [workspaceId, Math.round(total / 10)],
    );
    await superuser.query(
      `insert into identity.site_crawl_schedules (workspace_id, site_id, interval, due_at, set_by_member_id)
       select $1, i, 'weekly', now() + i * interval '1 second', 1 from generate_series(1, $2::int) i`,
      [other.workspaceId, total],
    );
  });
}, 300_000);
afterAll(() => superuser.end());

const now = new Date();
const found = Array.from({ length: 1_000 }, (_, at) => ({
  url: `https://s.example/${at * 7}`,
  urlHash: at % 2 === 0 ? `h${at * 7}` : `new${at}`,
  pathHash: `p${at}`,
  kind: 'page' as const,
  depth: 1,
  redirects: 0,
}));
const crawl = () => ({ siteId, number });

/** Those of one site, in an index and in the table, and what statements before have left dead. */
const ofSite = 4 * urlsOfSite;

/** Each statement with the rows that it reads at most. */
const statements: [string, number, (tx: Tx) => Promise<unknown>][] = [
  ['the next address', 20, (tx) => findNextUrl(tx, crawl(), now)],
  ['when an address is asked for again', ofSite, (tx) => findNextRetry(tx, crawl())],
  ['an address by its hash', 5, (tx) => findUrlByHash(tx, siteId, 'h77')],
  [
    'the addresses of a page, which are queued',
    ofSite,
    (tx) => queueUrls(tx, crawl(), found, { room: 900, now }),
  ],
  [
    'queries of paths',
    ofSite,
    (tx) =>
      countQueriesOfPaths(
        tx,
        crawl(),
        found.slice(0, 100).map((one) => one.pathHash),
      ),
  ],
  ['a page with the same contents', 5, (tx) => findReadElsewhere(tx, crawl(), { id: 0, contentHash: 'c5' })],
  ['the addresses of pages', ofSite, (tx) => selectUrlsOfPages(tx, siteId)],
  [
    'the pages that links lead to',
    ofSite,
    (tx) =>
      selectLeads(
        tx,
        { siteId, pageId },
        found.map((one) => one.urlHash),
      ),
  ],
  [
    'no pages, for links of a page that was not crawled',
    5,
    (tx) =>
      selectLeads(
        tx,
        { siteId, pageId: 1 },
        found.map((one) => one.urlHash),
      ),
  ],
  ['a list of addresses', ofSite, (tx) => selectUrlsOfCrawl(tx, crawl(), {}, { page: 2, pageSize: 25 })],
  ['addresses that are not read', ofSite, (tx) => settleQueuedUrls(tx, crawl(), 'not_read', now)],
  ['addresses that are queued no more', ofSite, (tx) => removeQueuedUrls(tx, crawl())],
  ['addresses that the next crawl finds anew', ofSite, (tx) => removeUnusedUrls(tx, crawl())],
  ['the crawl of a site', 5, (tx) => findCrawl(tx, siteId)],
  ['how many crawls are under way', 10, (tx) => countRunningCrawls(tx)],
  ['the crawls under way', 20, (tx) => selectRunningCrawls(tx, { after: 0, limit: 200 })],
];

describe.each(['never analysed', 'analysed'])(`among ${total} addresses, %s`, (state) => {
  beforeAll(async () => {
    if (state === 'analysed')
      await superuser.query(
        'analyze site_crawl_urls, site_crawls, site_pages, identity.site_crawl_schedules',
      );
  }, 300_000);

  it.each(statements)('%s: read by an index', async (_, most, work) => {
    const { workspaceId } = stage.workspace;
    const plans = await explaining(
      stage.database.appUrl,
      workspaceId,
      (db) => db.inWorkspace(workspaceId, work),
      /^(select|with|insert|update|delete) .*\bsite_crawl/s,
    );
    expect(plans.length).toBeGreaterThan(0);
    for (const { scans, rows } of plans) {
      expect(scans.filter((scan) => /^Seq Scan (site_crawl|identity)/.test(scan))).toEqual([]);
      // Without statistics, another index of the addresses of the site may be taken.
      expect(rows).toBeLessThanOrEqual(state === 'analysed' ? most : ofSite);
    }
  });

  it('the crawls that are due are taken by an index', async () => {
    const plan = await superuser.query(
      `explain (format json) select workspace_id, site_id from identity.site_crawl_schedules
       where due_at <= $1 order by due_at limit 5`,
      [now],
    );
    expect(JSON.stringify(plan.rows)).toContain('site_crawl_schedules_due');
    const { crawlSchedules } = stage.database.database.identity;
    const began = performance.now();
    const taken = await crawlSchedules.takeDue(
      new Date(Date.now() + 60_000),
      new Date(Date.now() + 3_600_000),
      5,
    );
    expect(taken).toHaveLength(5);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
