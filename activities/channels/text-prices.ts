import { heartbeat } from '@temporalio/activity';
import { pricesOfTexts, storeTextPrices } from '../../domain/channels/sms/store-text-prices.js';
import type { Carrier } from '../../providers/carrier/carrier.js';
import { ProviderRefused, ProviderUnusable } from '../../providers/failures.js';
import type { Sliced } from '../../workflows/contracts/steps.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { retryLater } from '../kernel/retry-later.js';
import { beginSlice } from '../kernel/slice.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How late the carrier may bill a text: so far back, the list is read again. */
const lateMs = 3 * dayMs;
/** How far back it is read in the first pass, and after an outage of the service. */
const maxMs = 31 * dayMs;
/** The time that a page and those that follow it cover: a slice ends between two of these. */
const windowMs = hourMs;

export interface TextPricesPass extends Sliced<{ from: number }> {
  listed: number;
  /** Rows of which something is new. */
  stored: number;
  /** `asked`: the list was read up to the present; `more`: the next slice continues. */
  carrier: 'asked' | 'not_configured' | 'unavailable' | 'more';
}

export function textPriceActivities(
  dependencies: Pick<ActivityDependencies, 'db' | 'clock' | 'carrier'>,
  { sliceMs }: { sliceMs?: number } = {},
) {
  const { db, clock, carrier } = dependencies;
  const { walks } = db.identity;

  return {
    /**
     * Stores what texts have cost, from the carrier's list of some days: a request for each thousand. `from`: where the slice
     * begins. An account that cannot be used waits for the next pass, which begins where this one ends.
     */
    async storeTextPrices(next?: { from: number }): Promise<TextPricesPass> {
      const found: TextPricesPass = { listed: 0, stored: 0, carrier: 'not_configured' };
      if (carrier === undefined) return found;
      const isOver = beginSlice(sliceMs);
      const end = clock.now().getTime();
      const lastEnd = (await walks.looked(pricesOfTexts))?.until.getTime() ?? 0;
      const begin = next?.from ?? Math.max(lastEnd - lateMs, end - maxMs);
      let from = begin;
      try {
        do {
          const until = Math.min(from + windowMs, end);
          await window(carrier, new Date(from), new Date(until), found);
          from = until;
        } while (from < end && !isOver());
        found.carrier = from < end ? 'more' : 'asked';
        if (from < end) found.next = { from };
      } catch (error) {
        if (!(error instanceof ProviderUnusable || error instanceof ProviderRefused)) throw retryLater(error);
        found.carrier = 'unavailable';
      }
      if (from > begin) {
        await walks.saveLooked(pricesOfTexts, { from: new Date(begin), until: new Date(from) });
      }
      return found;
    },
  };

  async function window(carrier: Carrier, since: Date, until: Date, found: TextPricesPass): Promise<void> {
    let page: string | undefined;
    do {
      const answer = await carrier.listBilled({ since, until, ...(page === undefined ? {} : { page }) });
      found.listed += answer.messages.length;
      found.stored += await storeTextPrices(dependencies, answer.messages);
      page = answer.nextPage;
      heartbeat();
    } while (page !== undefined);
  }
}
