import type { CrawlScheduleRow } from '../../../../db/identity/models/crawl-schedule.js';
import type { ListedUrl } from '../../../../db/sites/site-crawl-urls.js';
import type { CrawledUrlResponse, CrawlScheduleResponse } from './schemas.js';

export function presentCrawledUrl(listed: ListedUrl): CrawledUrlResponse {
  const { id, url, kind, depth, state, attempts, outcome, httpStatus, pageId, fetchedAt } = listed;
  return {
    id,
    url,
    kind,
    depth,
    state,
    attempts,
    outcome: outcome as CrawledUrlResponse['outcome'],
    httpStatus,
    pageId,
    fetchedAt: fetchedAt?.toISOString() ?? null,
  };
}

export function presentCrawlSchedule(schedule: CrawlScheduleRow): CrawlScheduleResponse {
  const { interval, dueAt, setByMemberId, lastStartedAt, lastSkippedAt, skipReason } = schedule;
  return {
    interval,
    nextAt: dueAt.toISOString(),
    setByMemberId,
    lastStartedAt: lastStartedAt?.toISOString() ?? null,
    lastSkippedAt: lastSkippedAt?.toISOString() ?? null,
    skipReason: skipReason as CrawlScheduleResponse['skipReason'],
    createdAt: schedule.createdAt.toISOString(),
    updatedAt: schedule.updatedAt.toISOString(),
  };
}
