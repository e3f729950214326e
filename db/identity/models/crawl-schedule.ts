import { column, identityTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export class CrawlScheduleModel extends identityTable('site_crawl_schedules', {
  workspaceId: column<number>(),
  siteId: column<number>(),
  interval: column<'daily' | 'weekly'>('code'),
  /** When the next crawl is begun. */
  dueAt: column<Date>(),
  /** By whose right crawls are begun. */
  setByMemberId: column<number>(),
  /** Null: by another credential. */
  setApiKeyId: column<number | null>(),
  setOauthGrantId: column<number | null>(),
  lastStartedAt: column<Date | null>(),
  lastSkippedAt: column<Date | null>(),
  /** Why the last crawl that was due was not begun: a code; null: it was. */
  skipReason: column<string | null>('code'),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type CrawlScheduleRow = RowOf<CrawlScheduleModel>;
