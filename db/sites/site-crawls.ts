import { prepared } from '../statement.js';
import type { EnteredTx, Tx } from '../tx.js';
import { SiteCrawlModel, type SiteCrawlRow } from './models/site-crawl.js';

export type { CrawlStatus, SiteCrawlRow } from './models/site-crawl.js';

export type SiteCrawlValues = Omit<SiteCrawlRow, 'id' | 'workspaceId' | 'uuid'>;

export async function findCrawl(tx: EnteredTx, siteId: number): Promise<SiteCrawlRow | undefined> {
  return SiteCrawlModel.first(tx, 'site_id = ?', [siteId]);
}

/** `findCrawl`, and locks the row until the transaction ends, as all changes of a crawl do. */
export async function lockCrawl(tx: Tx, siteId: number): Promise<SiteCrawlRow | undefined> {
  return SiteCrawlModel.first(tx, 'site_id = ? for no key update', [siteId]);
}

export async function insertCrawl(tx: Tx, values: SiteCrawlValues): Promise<SiteCrawlRow> {
  return SiteCrawlModel.insert(tx, values);
}

export async function removeCrawl(tx: Tx, id: number): Promise<void> {
  await SiteCrawlModel.deleteWhere(tx, 'id = ?', [id]);
}

export async function patchCrawl(
  tx: Tx,
  id: number,
  changes: Partial<Omit<SiteCrawlRow, 'id' | 'workspaceId' | 'uuid'>>,
): Promise<SiteCrawlRow> {
  return SiteCrawlModel.patch(tx, id, changes);
}

export async function countRunningCrawls(tx: Tx): Promise<number> {
  return SiteCrawlModel.count(tx, `status = 'running'`);
}

/** Crawls under way, with the uuid of their site, in order of id. */
export async function selectRunningCrawls(
  tx: Tx,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; siteId: number; siteUuid: string }[]> {
  return prepared(
    tx,
    `select c.id, c.site_id as "siteId", s.uuid as "siteUuid" from site_crawls c
       join sites s on s.id = c.site_id
     where c.status = 'running' and c.id > ? order by c.id limit ?`,
    [after, limit],
  );
}
