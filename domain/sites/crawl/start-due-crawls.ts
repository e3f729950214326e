import type { CrawlScheduleRow } from '../../../db/identity/models/crawl-schedule.js';
import { lockSite, type SiteRow } from '../../../db/sites/sites.js';
import type { Tx } from '../../../db/tx.js';
import { recordAuditOfNobody } from '../../kernel/audit/record-audit.js';
import type { ServiceContext } from '../../kernel/context.js';
import { keepApiKey } from '../../kernel/keep-api-key.js';
import type { Pass } from '../../kernel/pass.js';
import { beginCrawl } from './begin-crawl.js';
import { mayCrawl } from './crawl-author.js';
import { nextDue, type SkipReason } from './crawl-schedule.js';
import { readCrawlUrl } from './crawl-url.js';
import { crawlLimits } from './limits.js';

/** Taken from the table at once, and begun at once. */
const atOnce = 5;
const hourMs = 3_600_000;
/** A pass that dies leaves what it had taken to a later one; a crawl for which the workspace has no room is due again then. */
const putOffMs = hourMs;
const dayMs = 24 * hourMs;

export interface StartedCrawls {
  started: number;
  /** Of which the schedule says why. */
  skipped: number;
  /** Which could not be stored, and are due again in an hour. */
  failed: number;
}

/**
 * Begins the crawls that are due, oldest first, until none is left, the time is over, or as many were looked at as `most`. One
 * that fails stops no other.
 */
export async function startDueCrawls(
  context: Pick<ServiceContext, 'db' | 'clock'>,
  { isOver, onFailure }: Pass<CrawlScheduleRow>,
  most: number,
): Promise<StartedCrawls> {
  const { db, clock } = context;
  const counted: StartedCrawls = { started: 0, skipped: 0, failed: 0 };
  await db.identity.crawlHosts.forget(new Date(clock.now().getTime() - dayMs));
  for (let looked = 0; looked < most && !isOver(); looked += atOnce) {
    const now = clock.now();
    const due = await db.identity.crawlSchedules.takeDue(now, new Date(now.getTime() + putOffMs), atOnce);
    await Promise.all(due.map(start));
    if (due.length < atOnce) break;
  }
  return counted;

  async function start(taken: CrawlScheduleRow): Promise<void> {
    try {
      const outcome = await startDueCrawl(context, taken);
      if (outcome !== undefined) counted[outcome] += 1;
    } catch (error) {
      counted.failed += 1;
      onFailure(taken, error);
    }
  }
}

/** Begins one crawl, or says in its schedule why not. @returns undefined: the schedule was changed meanwhile */
async function startDueCrawl(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  { workspaceId, siteId, dueAt: takenUntil }: CrawlScheduleRow,
): Promise<'started' | 'skipped' | undefined> {
  const { crawlSchedules } = db.identity;
  return db.inWorkspace(workspaceId, async (tx) => {
    const site = await lockSite(tx, siteId);
    const schedule = await crawlSchedules.lock(siteId, tx);
    if (site === undefined) await crawlSchedules.remove(siteId, tx);
    if (site === undefined || schedule?.dueAt.getTime() !== takenUntil.getTime()) return undefined;
    const now = clock.now();
    const begun = await begin(tx, site, schedule, now);
    const isLater = begun === 'too_many_crawls';
    const dueAt = isLater ? new Date(now.getTime() + putOffMs) : nextDue(schedule.interval, now);
    await keepApiKey(db, tx, { apiKeyId: schedule.setApiKeyId, dueAt });
    if (typeof begun === 'string') {
      await crawlSchedules.patch(
        siteId,
        { dueAt, lastSkippedAt: now, skipReason: begun, updatedAt: now },
        tx,
      );
      return 'skipped';
    }
    await crawlSchedules.patch(siteId, { dueAt, lastStartedAt: now, skipReason: null, updatedAt: now }, tx);
    const by = { subject: ['site', siteId] as const, actorMemberId: schedule.setByMemberId };
    recordAuditOfNobody(tx, { now }, 'site:crawl_started', by);
    return 'started';
  });

  async function begin(
    tx: Tx,
    site: SiteRow,
    { setByMemberId, setApiKeyId, setOauthGrantId }: CrawlScheduleRow,
    now: Date,
  ): Promise<SiteRow | SkipReason> {
    const author = { memberId: setByMemberId, apiKeyId: setApiKeyId, oauthGrantId: setOauthGrantId };
    if (!(await mayCrawl(tx, author, now))) return 'author_not_allowed';
    const start = site.crawlUrl === null ? undefined : readCrawlUrl(site.crawlUrl);
    if (start === undefined) return 'no_url';
    const { crawlLimit, crawlExcludedTags: excludedTags } = site;
    const pageLimit = crawlLimit ?? crawlLimits.pages;
    return beginCrawl(db, tx, site, { start, pageLimit, excludedTags, author }, now);
  }
}
