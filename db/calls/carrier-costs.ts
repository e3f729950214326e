import { prepared } from '../statement.js';
import type { Tx } from '../tx.js';

/** What the carrier has charged for the calls of a day, in one currency. */
export interface CostsOfDay {
  /** `YYYY-MM-DD`. */
  date: string;
  /** Null: of calls without a price. */
  currency: string | null;
  calls: number;
  durationSeconds: number;
  price: number;
  /** Answered calls that the carrier has not billed. */
  unbilled: number;
}

/** Sums the stored prices of the calls of each of some days, by the moments at which they begin and the last ends. */
export async function sumCallCosts(
  tx: Tx,
  days: { dates: readonly string[]; begins: readonly Date[]; ends: Date },
): Promise<CostsOfDay[]> {
  return prepared<CostsOfDay>(
    tx,
    `select (?::text[])[width_bucket(created_at, ?::timestamptz[])] as date, price_unit as currency,
       count(*)::int as calls, coalesce(sum(duration_seconds), 0)::int as "durationSeconds",
       coalesce(sum(price), 0)::float8 as price,
       (count(*) filter (where price is null and started_at is not null))::int as unbilled
     from phone_calls
     where created_at >= ? and created_at < ? and carrier_call_id is not null
     group by 1, 2 order by 1, 2`,
    [[...days.dates], [...days.begins], days.begins[0], days.ends],
  );
}
