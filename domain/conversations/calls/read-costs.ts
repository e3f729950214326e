import { type CostsOfDay, sumCallCosts } from '../../../db/calls/carrier-costs.js';
import { roundPrice } from '../../calls/compare-bill.js';
import type { CommandContext } from '../../kernel/context.js';
import { addDays, beginOf, dayOf } from '../../lib/local-time.js';
import type { Cell } from '../../records/csv/cells.js';
import { writeCsv } from '../../records/csv/write-csv.js';

export interface CostsOfMonth {
  /** `YYYY-MM`. */
  month: string;
  timezone: string;
  items: CostsOfDay[];
}

/**
 * Sums what the carrier has charged in a month of the time zone of the workspace, by day and currency; by default in the
 * current one. Only calls have a price that is stored. @throws Forbidden
 */
export async function readCosts(
  { db, actor, clock }: CommandContext,
  { month: given }: { month?: string | undefined },
): Promise<CostsOfMonth> {
  actor.require('workspace:read');
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const workspace = await db.identity.workspaces.findById(actor.workspaceId, tx);
    const timezone = workspace?.timezone ?? 'UTC';
    const month = given ?? dayOf(clock.now(), timezone).slice(0, 7);
    const dates: string[] = [];
    for (let date = `${month}-01`; date.startsWith(month); date = addDays(date, 1)) dates.push(date);
    const begins = dates.map((date) => beginOf(date, timezone));
    const ends = beginOf(dates.at(-1) ?? `${month}-01`, timezone, 1);
    const items = await sumCallCosts(tx, { dates, begins, ends });
    return { month, timezone, items: items.map((item) => ({ ...item, price: roundPrice(item.price) })) };
  });
}

const columns = ['date', 'channel', 'currency', 'price', 'calls', 'durationSeconds', 'unbilled'] as const;

/** The same as a table. @throws Forbidden */
export async function exportCosts(
  context: CommandContext,
  query: { month?: string | undefined },
): Promise<{ fileName: string; text: AsyncIterable<string> }> {
  const { month, items } = await readCosts(context, query);
  async function* rows(): AsyncGenerator<Cell[]> {
    for (const item of items) {
      const row = { ...item, channel: 'phone-voice' };
      yield columns.map((column) => row[column]);
    }
  }
  return { fileName: `costs-${month}.csv`, text: writeCsv(columns, rows(), {}) };
}
