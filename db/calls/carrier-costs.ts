import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/** What the carrier has charged for the calls or the texts of a day, in one currency. */
export interface CostsOfDay {
  /** `YYYY-MM-DD`. */
  date: string;
  channel: 'phone-voice' | 'phone-sms';
  /** Null: of calls and texts without a price. */
  currency: string | null;
  price: number;
  calls: number;
  durationSeconds: number;
  texts: number;
  segments: number;
  /** Answered calls and texts that the carrier has not billed. */
  unbilled: number;
}

/**
 * Sums the stored prices of the calls and the texts of each of some days, by the moments at which they begin and the last
 * ends.
 */
export async function sumCarrierCosts(
  tx: Tx,
  days: { dates: readonly string[]; begins: readonly Date[]; ends: Date },
): Promise<CostsOfDay[]> {
  const { dates, begins, ends } = days;
  return prepared<CostsOfDay>(
    tx,
    `select day.date, charged.* from unnest(?::text[], ?::timestamptz[], ?::timestamptz[]) as day (date, begins, ends)
     cross join lateral (
       select 'phone-voice' as channel, price_unit as currency, coalesce(sum(price), 0)::float8 as price,
         count(*)::int as calls, coalesce(sum(duration_seconds), 0)::int as "durationSeconds",
         0 as texts, 0 as segments,
         (count(*) filter (where price is null and started_at is not null))::int as unbilled
       from phone_calls
       where created_at >= day.begins and created_at < day.ends and carrier_call_id is not null
       group by price_unit
       union all
       select 'phone-sms', price_unit, coalesce(sum(price), 0)::float8, 0, 0, count(*)::int, sum(segments)::int,
         (count(*) filter (where price is null))::int
       from carrier_texts where sent_at >= day.begins and sent_at < day.ends group by price_unit
     ) as charged
     order by day.date, channel, currency`,
    [[...dates], [...begins], [...begins.slice(1), ends]],
  );
}
