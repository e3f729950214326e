import { type CostsOfDay, sumCarrierCosts } from '../../../db/calls/carrier-costs.js';
import type { Looked } from '../../../db/identity/walks.js';
import { roundPrice } from '../../calls/compare-bill.js';
import { pricesOfTexts } from '../../channels/sms/store-text-prices.js';
import type { CommandContext } from '../../kernel/context.js';
import { addDays, beginOf, dayOf } from '../../lib/local-time.js';
import type { Cell } from '../../records/csv/cells.js';
import { writeCsv } from '../../records/csv/write-csv.js';

export interface CostsOfMonth {
  /** `YYYY-MM`. */
  month: string;
  timezone: string;
  /** The time whose texts are known, up to the last look at the carrier's list; undefined before the first. */
  textsKnown: Looked | undefined;
  items: CostsOfDay[];
}

/**
 * Sums what the carrier has charged for calls and texts in a month of the time zone of the workspace, by day, channel and
 * currency; by default in the current one. @throws Forbidden
 */
export async function readCosts(
  { db, actor, clock }: CommandContext,
  { month: given }: { month?: string | undefined },
): Promise<CostsOfMonth> {
  actor.require('workspace:read');
  // Read first, so that texts which are stored meanwhile are not missed in what is said to be known.
  const textsKnown = await db.identity.walks.looked(pricesOfTexts);
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const workspace = await db.identity.workspaces.findById(actor.workspaceId, tx);
    const timezone = workspace?.timezone ?? 'UTC';
    const month = given ?? dayOf(clock.now(), timezone).slice(0, 7);
    const dates: string[] = [];
    for (let date = `${month}-01`; date.startsWith(month); date = addDays(date, 1)) dates.push(date);
    const begins = dates.map((date) => beginOf(date, timezone));
    const ends = beginOf(dates.at(-1) ?? `${month}-01`, timezone, 1);
    const sums = await sumCarrierCosts(tx, { dates, begins, ends });
    const items = sums.map((item) => ({ ...item, price: roundPrice(item.price) }));
    return { month, timezone, textsKnown, items };
  });
}

const columns = [
  'date',
  'channel',
  'currency',
  'price',
  'calls',
  'durationSeconds',
  'texts',
  'segments',
  'unbilled',
] as const;

/** The same as a table. @throws Forbidden */
export async function exportCosts(
  context: CommandContext,
  query: { month?: string | undefined },
): Promise<{ fileName: string; text: AsyncIterable<string> }> {
  const { month, items } = await readCosts(context, query);
  async function* rows(): AsyncGenerator<Cell[]> {
    for (const item of items) yield columns.map((column) => item[column]);
  }
  return { fileName: `costs-${month}.csv`, text: writeCsv(columns, rows(), {}) };
}
