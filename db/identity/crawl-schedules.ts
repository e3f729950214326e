import type { Tx } from '../tx.js';
import { IdentityTable } from './identity-table.js';
import { CrawlScheduleModel, type CrawlScheduleRow } from './models/crawl-schedule.js';

type CrawlScheduleValues = Omit<CrawlScheduleRow, 'workspaceId'>;

const isOfSite = 'workspace_id = ? and site_id = ?';

/** When sites are crawled again. All that are due are found at once, whichever workspaces they are of. */
export class CrawlSchedulesTable extends IdentityTable {
  async find(siteId: number, tx: Tx): Promise<CrawlScheduleRow | undefined> {
    return CrawlScheduleModel.first(tx, isOfSite, [tx.workspaceId, siteId]);
  }

  /** `find`, and locks the row until the transaction ends. */
  async lock(siteId: number, tx: Tx): Promise<CrawlScheduleRow | undefined> {
    return CrawlScheduleModel.first(tx, `${isOfSite} for update`, [tx.workspaceId, siteId]);
  }

  /** Stores the schedule of a site, in place of the one that it has. */
  async put(values: CrawlScheduleValues, tx: Tx): Promise<CrawlScheduleRow> {
    const { workspaceId } = tx;
    return CrawlScheduleModel.upsert(tx, { ...values, workspaceId }, ['workspaceId', 'siteId']);
  }

  async patch(
    siteId: number,
    changes: Partial<Omit<CrawlScheduleValues, 'siteId' | 'createdAt'>>,
    tx: Tx,
  ): Promise<void> {
    await CrawlScheduleModel.updateWhere(tx, changes, isOfSite, [tx.workspaceId, siteId]);
  }

  /** @returns whether there was one */
  async remove(siteId: number, tx: Tx): Promise<boolean> {
    return (await CrawlScheduleModel.deleteWhere(tx, isOfSite, [tx.workspaceId, siteId])) > 0;
  }

  /** Takes those that are due, in the order of their time, and puts them off, so that no other pass takes them meanwhile. */
  async takeDue(now: Date, next: Date, most: number): Promise<CrawlScheduleRow[]> {
    return CrawlScheduleModel.updateReturning(
      this.knex,
      { dueAt: next },
      `(workspace_id, site_id) in (select workspace_id, site_id from identity.site_crawl_schedules
         where due_at <= ? order by due_at limit ? for update skip locked)`,
      [now, most],
    );
  }
}
