import type { PoolClient } from 'pg';
import type { Kind } from './outbox-reader.js';

/** How many entries of a kind wait, and how many are parked. */
export interface EntryCounts {
  waiting: number;
  parked: number;
}

/** Reads the whole outbox: not for every batch. */
export async function countEntries(client: Pick<PoolClient, 'query'>): Promise<Record<Kind, EntryCounts>> {
  const { rows } = await client.query(
    `select case when run_type = 'deliverWebhook' then 'webhooks' else 'awaited' end as kind,
       count(*) filter (where parked_at is null)::int as waiting,
       count(*) filter (where parked_at is not null)::int as parked
     from outbox group by kind`,
  );
  const none: Record<Kind, EntryCounts> = {
    awaited: { waiting: 0, parked: 0 },
    webhooks: { waiting: 0, parked: 0 },
  };
  return { ...none, ...Object.fromEntries(rows.map(({ kind, ...counts }) => [kind, counts])) };
}
