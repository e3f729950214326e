import Type from 'typebox';
import { skipReasons } from '../../../../domain/sites/crawl/crawl-schedule.js';
import { type AnswerOf, Id, Nullable, OneOf, Page, Picked, Time, Timestamp } from '../../../http/schemas.js';
import { crawlExcludedTags, crawlLimit, crawlUrl } from '../sites/schemas.js';

export const StartCrawlRequest = Type.Object(
  {
    url: Type.Optional(Type.String({ ...crawlUrl, description: 'Address to begin at' })),
    limit: Type.Optional(Type.Integer({ ...crawlLimit, description: 'Pages to read at most' })),
    excludedTags: Type.Optional(
      Type.Array(crawlExcludedTags.items, {
        ...crawlExcludedTags,
        description: 'Elements of pages that are not read',
      }),
    ),
  },
  { description: 'What is left out is as the site says; what is given becomes what the site says.' },
);

/** What became of an address; docs/site-crawl.md describes each. */
export const crawlOutcomes = [
  ...(['created', 'updated', 'unchanged', 'kept', 'deleted', 'gone'] as const),
  ...(['sitemap', 'sitemap_partial'] as const),
  ...(['redirect', 'redirect_elsewhere', 'too_many_redirects', 'canonical_elsewhere', 'duplicate'] as const),
  ...([
    'disallowed',
    'not_found',
    'refused',
    'failed',
    'not_html',
    'no_sitemap',
    'too_large',
    'unreadable',
  ] as const),
  ...(['address_refused', 'https_required', 'invalid_url', 'over_limit', 'not_read'] as const),
] as const;
const Outcome = OneOf(crawlOutcomes, { description: 'What became of it: a code' });

export const CrawledUrlResponse = Picked(
  {
    id: Id,
    url: Type.String({ description: 'The address that was asked for, without its fragment' }),
    kind: OneOf(['page', 'sitemap'], { description: 'What was looked for there' }),
    depth: Type.Integer({ minimum: 0, description: 'Links from the start' }),
    state: OneOf(['queued', 'done'], { description: 'Whether it waits to be read' }),
    attempts: Type.Integer({ minimum: 0, description: 'Requests that were made for it' }),
    outcome: Nullable(Outcome),
    httpStatus: Nullable(Type.Integer({ description: 'Status of the last answer; null: there was none' })),
    pageId: Nullable(Type.Integer({ ...Id, description: 'Page that was made of it' })),
    fetchedAt: Nullable(Time({ ...Timestamp, description: 'When it was last asked for' })),
  },
  { $id: 'CrawledUrlResponse' },
);
export type CrawledUrlResponse = AnswerOf<typeof CrawledUrlResponse>;
export const CrawledUrlPage = Page(CrawledUrlResponse);

export const ListCrawledUrlsQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 5_000, default: 1, description: 'Number of the page, from 1' }),
  pageSize: Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Addresses of a page' }),
  outcome: Type.Optional(OneOf(crawlOutcomes, { description: 'Only addresses with this outcome' })),
});

const interval = OneOf(['daily', 'weekly'], { description: 'How often the site is crawled' });

export const SetCrawlScheduleRequest = Type.Object({ interval });

export const CrawlScheduleResponse = Picked(
  {
    interval,
    nextAt: Time({
      ...Timestamp,
      description:
        'When the next crawl is due: after one interval, or up to a twentieth of it sooner or later',
    }),
    setByMemberId: Type.Integer({ ...Id, description: 'Member by whose right the crawls begin' }),
    lastStartedAt: Nullable(
      Time({ ...Timestamp, description: 'When the schedule last began a crawl; null: not yet' }),
    ),
    lastSkippedAt: Nullable(
      Time({ ...Timestamp, description: 'When a crawl was last due and did not begin; null: never' }),
    ),
    skipReason: Nullable(
      OneOf(skipReasons, {
        description:
          'Why the crawl that was due last did not begin: the member or its credential may not change sites any more, the site has no `crawlUrl`, it was being crawled, or as many sites of the workspace as may be at once (then it is due again in an hour); null: it did begin, or the schedule was set since',
      }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'CrawlScheduleResponse' },
);
export type CrawlScheduleResponse = AnswerOf<typeof CrawlScheduleResponse>;
