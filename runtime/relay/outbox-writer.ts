import type { PoolClient } from 'pg';

/** Why an entry was not delivered, and what to do with it. */
export interface Failure {
  code: string;
  delayMs: number;
  /** Whether it counts as an attempt towards parking. */
  counts: boolean;
  park: boolean;
}

export async function deleteEntries(client: PoolClient, ids: number[]): Promise<void> {
  if (ids.length > 0) await client.query('delete from outbox where id = any($1::bigint[])', [ids]);
}

/** Reschedules an entry, or parks it for good if `park` is set. */
export async function retryLater(client: PoolClient, entry: { id: number }, failure: Failure): Promise<void> {
  await client.query(
    `update outbox set available_at = now() + make_interval(secs => $2), last_error_code = $3,
       attempts = attempts + $4, parked_at = case when $5 then now() end
     where id = $1`,
    [entry.id, failure.delayMs / 1_000, failure.code, failure.counts ? 1 : 0, failure.park],
  );
}
