import { parsePhoneNumberFromString } from 'libphonenumber-js';
import type { PhoneCallRow } from '../../db/calls/phone-calls.js';
import type { Tx } from '../../db/tx.js';
import { reportOccurrence } from '../kernel/occurrences.js';
import type { CallPrices } from './call-prices.js';

/** Differences up to these are none: seconds, a share of what we reckon, and an amount of money. */
const tolerated = { seconds: 10, ofDuration: 0.05, ofPrice: 0.1, price: 0.01 };

/** Whether what the carrier has counted is what clocks and rounding make of what was measured. */
function isAsMeasured(durationSeconds: number, measuredSeconds: number): boolean {
  const most = Math.max(tolerated.seconds, tolerated.ofDuration * measuredSeconds);
  return Math.abs(durationSeconds - measuredSeconds) <= most;
}

/**
 * What a call should cost in a currency; undefined where the installation has no price for it. Minutes are begun by the carrier's
 * clock: a second more than was measured may be one of them.
 */
export function expectedPriceOf(
  prices: CallPrices | undefined,
  {
    inbound,
    remoteNumber,
    durationSeconds,
    measuredSeconds,
  }: Pick<PhoneCallRow, 'inbound' | 'remoteNumber' | 'durationSeconds' | 'measuredSeconds'>,
  currency: string,
): number | undefined {
  if (prices?.currency !== currency || measuredSeconds === null) return undefined;
  const country = remoteNumber === null ? undefined : parsePhoneNumberFromString(remoteNumber)?.country;
  const { perMinute } = prices;
  const price = inbound
    ? perMinute.get('inbound')
    : (perMinute.get(country ?? '') ?? perMinute.get('outbound'));
  if (price === undefined) return undefined;
  const counted = durationSeconds ?? measuredSeconds;
  const seconds = isAsMeasured(counted, measuredSeconds) ? counted : measuredSeconds;
  return Math.ceil(seconds / 60) * price;
}

/** Sums and differences of prices, without the noise of binary fractions. */
export function roundPrice(amount: number): number {
  return Math.round(amount * 1_000_000) / 1_000_000;
}

export type BillDifference = 'duration' | 'cost' | 'no_price' | 'unknown_call';

/** Which differences there are between a bill and what the service reckons, beyond what clocks and rounding make. */
export function differencesOf({
  durationSeconds,
  measuredSeconds,
  price,
  expectedPrice,
}: Pick<PhoneCallRow, 'durationSeconds' | 'measuredSeconds' | 'price' | 'expectedPrice'>): BillDifference[] {
  const found: BillDifference[] = [];
  if (durationSeconds !== null && measuredSeconds !== null) {
    if (!isAsMeasured(durationSeconds, measuredSeconds)) found.push('duration');
  }
  if (price !== null && expectedPrice !== null) {
    const most = Math.max(tolerated.price, tolerated.ofPrice * expectedPrice);
    if (Math.abs(price - expectedPrice) > most) found.push('cost');
  }
  return found;
}

/** Tells the operator, once a call is billed or will not be. */
export function reportDifferences(tx: Tx, differences: readonly BillDifference[]): void {
  for (const reason of differences) reportOccurrence(tx, { kind: 'call_bill_differs', reason });
}
