import { column, identityTable } from '../../lib/table.js';

export class CrawlHostModel extends identityTable('crawl_hosts', {
  hostHash: column<Buffer>('digest'),
  freeAt: column<Date>(),
  heldUntil: column<Date | null>(),
}) {}
