import type { CrawlScheduleRow } from '../../../../db/identity/models/crawl-schedule.js';
import type { ListedUrl } from '../../../../db/sites/site-crawl-urls.js';
import {
  getCrawlSchedule,
  removeCrawlSchedule,
  setCrawlSchedule,
} from '../../../../domain/sites/crawl/crawl-schedule.js';
import { cancelCrawl } from '../../../../domain/sites/crawl/end-crawl.js';
import { listCrawledUrls } from '../../../../domain/sites/crawl/list-urls.js';
import { checkSource, startCrawl } from '../../../../domain/sites/crawl/start-crawl.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { editors } from '../access.js';
import { presentSite } from '../sites/presenter.js';
import { SiteResponse } from '../sites/schemas.js';
import {
  CrawledUrlPage,
  type CrawledUrlResponse,
  CrawlScheduleResponse,
  ListCrawledUrlsQuery,
  SetCrawlScheduleRequest,
  StartCrawlRequest,
} from './schemas.js';

const tag = 'Sites';
const path = '/w/{workspace_uuid}/sites/{site_id}/crawl';

const start = defineRoute({
  operationId: 'startCrawl',
  method: 'POST',
  path,
  tag,
  summary: 'Crawl a site',
  description:
    'Starts to read another site into drafts of this one, page by page, as its robots.txt allows. The fields `crawl…` of the site tell how far it has come. Pages that were edited here are not overwritten, and visitors read nothing of it until pages are published.',
  access: editors.write,
  body: StartCrawlRequest,
  example: { body: { url: 'https://www.clinic.example/', limit: 50 }, once: true },
  response: { status: 202, schema: SiteResponse },
  errors: {
    409: 'The site is being crawled (`crawl_under_way`), or as many of the workspace as may be at once (`too_many_crawls`).',
  },
  prepare: ({ context, services, params, body }) =>
    checkSource(context, services.crawledAddresses, params.site_id, body),
  handler: async ({ context, services, params, body, prepared }) =>
    presentSite(services.sites)(await startCrawl(context, params.site_id, prepared, body)),
});

const crawl = resource({
  tag: 'Sites',
  path: '/w/{workspace_uuid}/sites/{site_id}/crawl',
  read: editors.read,
  write: editors.write,
});

const cancel = crawl.act('/cancel', {
  operationId: 'cancelCrawl',
  summary: 'Cancel a crawl',
  description: 'What it has read stays. Without a crawl under way, nothing changes.',
  example: { params: { site_id: demo.siteWithClaim } },
  response: SiteResponse,
  handler: async ({ context, services, params }) =>
    presentSite(services.sites)(await cancelCrawl(context, params.site_id)),
});

const list = crawl.get('/urls', {
  operationId: 'listCrawledUrls',
  summary: 'List the addresses of a crawl',
  description: 'What the last crawl has come across, in that order, and what became of it; 404 without one.',
  example: { params: { site_id: demo.siteWithClaim } },
  query: ListCrawledUrlsQuery,
  response: CrawledUrlPage,
  handler: async ({ context, params, query }) =>
    presentPage(query, await listCrawledUrls(context, params.site_id, query), presentCrawledUrl),
});

const getSchedule = crawl.get('/schedule', {
  operationId: 'getCrawlSchedule',
  summary: 'Get the schedule of the crawls of a site',
  description: 'How often the site is crawled, and when next; 404 without a schedule.',
  example: { params: { site_id: demo.siteWithClaim } },
  response: CrawlScheduleResponse,
  handler: async ({ context, params }) =>
    presentCrawlSchedule(await getCrawlSchedule(context, params.site_id)),
});

const setSchedule = crawl.update('/schedule', {
  operationId: 'setCrawlSchedule',
  summary: 'Crawl a site by schedule',
  description:
    'Has `crawlUrl` of the site read every day or week, as the site says by then, by the right of the caller: a schedule whose member or credential may not change sites any more begins nothing. The first crawl comes after one interval. With the interval that the site has, only the right changes.',
  body: SetCrawlScheduleRequest,
  example: { params: { site_id: demo.siteWithClaim }, body: { interval: 'weekly' } },
  response: CrawlScheduleResponse,
  handler: async ({ context, params, body }) =>
    presentCrawlSchedule(await setCrawlSchedule(context, params.site_id, body.interval)),
});

const removeSchedule = crawl.remove('/schedule', {
  operationId: 'removeCrawlSchedule',
  summary: 'End the schedule of the crawls of a site',
  description: 'A crawl under way goes on. Without a schedule, nothing changes.',
  handler: async ({ context, params }) => removeCrawlSchedule(context, params.site_id),
});

function presentCrawledUrl(listed: ListedUrl): CrawledUrlResponse {
  return { ...listed, outcome: listed.outcome as CrawledUrlResponse['outcome'] };
}

function presentCrawlSchedule(schedule: CrawlScheduleRow): CrawlScheduleResponse {
  const skipReason = schedule.skipReason as CrawlScheduleResponse['skipReason'];
  return { ...schedule, nextAt: schedule.dueAt, skipReason };
}

export const siteCrawlRoutes = [start, cancel, list, getSchedule, setSchedule, removeSchedule];
