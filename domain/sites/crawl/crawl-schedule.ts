import type { CrawlScheduleRow } from '../../../db/identity/models/crawl-schedule.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { keepApiKey } from '../../kernel/keep-api-key.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { requireLockedSite, requireSite } from '../sites/require-site.js';
import { authorOf } from './crawl-author.js';
import { readCrawlUrl } from './crawl-url.js';

export type CrawlInterval = CrawlScheduleRow['interval'];

/** Why a crawl that was due was not begun. */
export const skipReasons = ['author_not_allowed', 'no_url', 'crawl_under_way', 'too_many_crawls'] as const;
export type SkipReason = (typeof skipReasons)[number];

const dayMs = 24 * 3_600_000;
const intervalMs: Record<CrawlInterval, number> = { daily: dayMs, weekly: 7 * dayMs };
/** The part of an interval by which the next crawl may come sooner or later, so that many are not due at once. */
const spread = 0.05;

/** When the next crawl is due. @param random from 0 to 1 */
export function nextDue(interval: CrawlInterval, now: Date, random = Math.random()): Date {
  return new Date(now.getTime() + Math.round(intervalMs[interval] * (1 - spread + 2 * spread * random)));
}

/** @throws Forbidden, NotFound, also without a schedule */
export async function getCrawlSchedule(
  { db, actor }: CommandContext,
  siteId: number,
): Promise<CrawlScheduleRow> {
  actor.require('sites:read');
  const found = await db.readInWorkspace(actor.workspaceId, async (tx) => {
    await requireSite(tx, siteId);
    return db.identity.crawlSchedules.find(siteId, tx);
  });
  if (found === undefined) throw new NotFound('Schedule');
  return found;
}

/**
 * Has a site crawled every day or week from now on, by the right of the caller. With the interval that it has already, the next crawl
 * stays due when it was.
 * @throws Forbidden, NotFound, InvalidInput
 */
export async function setCrawlSchedule(
  context: CommandContext,
  siteId: number,
  interval: CrawlInterval,
): Promise<CrawlScheduleRow> {
  const { db, actor, clock } = context;
  actor.require('sites:write');
  const now = clock.now();
  const { memberId, apiKeyId, oauthGrantId } = authorOf(actor);
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const site = await requireLockedSite(tx, siteId);
    if (site.crawlUrl === null || readCrawlUrl(site.crawlUrl) === undefined)
      throw InvalidInput.field('/interval', 'cannot be set, as the site has no crawlUrl');
    const earlier = await db.identity.crawlSchedules.lock(siteId, tx);
    const dueAt = earlier?.interval === interval ? earlier.dueAt : nextDue(interval, now);
    await keepApiKey(db, tx, { apiKeyId, dueAt });
    recordAudit(tx, context, 'site:crawl_scheduled', { subject: ['site', siteId], names: [interval] });
    return db.identity.crawlSchedules.put(
      {
        siteId,
        interval,
        dueAt,
        setByMemberId: memberId,
        setApiKeyId: apiKeyId,
        setOauthGrantId: oauthGrantId,
        lastStartedAt: earlier?.lastStartedAt ?? null,
        lastSkippedAt: earlier?.lastSkippedAt ?? null,
        skipReason: null,
        createdAt: earlier?.createdAt ?? now,
        updatedAt: now,
      },
      tx,
    );
  });
}

/** Takes a site off its schedule; a crawl under way goes on. Without a schedule, nothing changes. @throws Forbidden, NotFound */
export async function removeCrawlSchedule(context: CommandContext, siteId: number): Promise<void> {
  const { db, actor } = context;
  actor.require('sites:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    await requireLockedSite(tx, siteId);
    if (await db.identity.crawlSchedules.remove(siteId, tx))
      recordAudit(tx, context, 'site:crawl_unscheduled', { subject: ['site', siteId] });
  });
}
