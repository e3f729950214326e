import type { ListedUrl } from '../../../../db/sites/site-crawl-urls.js';
import type { CrawledUrlResponse } from './schemas.js';

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
