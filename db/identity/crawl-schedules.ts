import { column, type ValuesOf } from '../lib/table.js';
import type { Tx } from '../tx.js';
import { aliases, columns, IdentityTable, returned } from './columns.js';

const table = 'identity.site_crawl_schedules';
const fields = {
  workspaceId: column<number>(),
  siteId: column<number>(),
  interval: column<'daily' | 'weekly'>(),
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
  skipReason: column<string | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
};

export type CrawlScheduleRow = ValuesOf<typeof fields>;
export type CrawlScheduleValues = Omit<CrawlScheduleRow, 'workspaceId'>;

/** When sites are crawled again. All that are due are found at once, whichever workspaces they are of. */
export class CrawlSchedulesTable extends IdentityTable {
  async find(siteId: number, tx: Tx): Promise<CrawlScheduleRow | undefined> {
    return tx(table).select(aliases(fields)).where({ workspace_id: tx.workspaceId, site_id: siteId }).first();
  }

  /** `find`, and locks the row until the transaction ends. */
  async lock(siteId: number, tx: Tx): Promise<CrawlScheduleRow | undefined> {
    return tx(table)
      .select(aliases(fields))
      .where({ workspace_id: tx.workspaceId, site_id: siteId })
      .forUpdate()
      .first();
  }

  /** Stores the schedule of a site, in place of the one that it has. */
  async put(values: CrawlScheduleValues, tx: Tx): Promise<CrawlScheduleRow> {
    const [row] = await tx(table)
      .insert(columns({ ...values, workspaceId: tx.workspaceId }))
      .onConflict(['workspace_id', 'site_id'])
      .merge()
      .returning<CrawlScheduleRow[]>(returned(fields));
    if (row === undefined) throw new Error('no schedule was stored');
    return row;
  }

  async patch(
    siteId: number,
    changes: Partial<Omit<CrawlScheduleValues, 'siteId' | 'createdAt'>>,
    tx: Tx,
  ): Promise<void> {
    await tx(table).where({ workspace_id: tx.workspaceId, site_id: siteId }).update(columns(changes));
  }

  /** @returns whether there was one */
  async remove(siteId: number, tx: Tx): Promise<boolean> {
    return (await tx(table).where({ workspace_id: tx.workspaceId, site_id: siteId }).delete()) > 0;
  }

  /** Takes those that are due, in the order of their time, and puts them off, so that no other pass takes them meanwhile. */
  async takeDue(now: Date, next: Date, most: number): Promise<CrawlScheduleRow[]> {
    const due = this.knex(table)
      .select('workspace_id', 'site_id')
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(most)
      .forUpdate()
      .skipLocked();
    return this.knex(table)
      .whereIn(['workspace_id', 'site_id'], due)
      .update({ due_at: next })
      .returning<CrawlScheduleRow[]>(returned(fields));
  }
}
