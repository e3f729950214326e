/** What a crawl may cost: the service, and the site that it reads. */
export const crawlLimits = {
  /** Pages that a crawl reads at most, and unless it is told otherwise. */
  maxPages: 1_000,
  pages: 200,
  excludedTags: 20,
  /** Crawls under way in a workspace. */
  runningInWorkspace: 3,
  /** Crawls that are due by schedule, of which one pass begins at most so many. */
  scheduledInPass: 500,
  /** Addresses that a crawl asks for, sitemaps among them. */
  urls: 5_000,
  sitemaps: 20,
  /** Sitemaps that lead to sitemaps. */
  sitemapLevels: 2,
  /** Links from the start. */
  depth: 10,
  /** Addresses with the same path and different queries. */
  queriesOfPath: 20,
  /** Links of a page that are looked at. */
  linksOfPage: 1_000,
  redirects: 5,
  /** Bytes of an answer, decompressed. */
  htmlBytes: 2 * 1_048_576,
  sitemapBytes: 10 * 1_048_576,
  robotsBytes: 512 * 1_024,
  /** Until an answer is whole. */
  answerMs: 20_000,
  /** The longest pause that robots.txt can ask for, and the longest after which a host that is busy is asked again. */
  maxDelayMs: 30_000,
  maxRetryAfterMs: 3_600_000,
  /** Requests for one address. */
  attempts: 3,
  /** Requests in a row that a host does not serve, after which the crawl ends. */
  refusals: 6,
  /** After which a crawl ends, however far it has come. */
  durationMs: 12 * 3_600_000,
  /** Bytes of a page's source that are stored. */
  sourceHtmlBytes: 131_072,
} as const;
