import type { ClientBase } from 'pg';
import { type Kind, waitingEntries } from './outbox-reader.js';

/** Number of waiting and of parked entries of a kind; at most `countedTo`. */
export interface EntryCounts {
  waiting: number;
  parked: number;
}

/** The state of the outbox. */
export interface OutboxCounts {
  counts: Record<Kind, EntryCounts>;
  /** Age of the oldest waiting `interactive` entry; 0 if none waits. */
  oldestSeconds: number;
}

/** The highest count, which bounds the cost of measuring a long outbox. */
export const countedTo = 10_000;

const parkedEntries: Record<Kind, string> = {
  interactive: `run_type <> 'deliverWebhook' and parked_at is not null`,
  bulk: `run_type = 'deliverWebhook' and parked_at is not null`,
};

/** Measures the outbox through its indexes. */
export async function readOutboxCounts(client: Pick<ClientBase, 'query'>): Promise<OutboxCounts> {
  const { rows } = await client.query(
    `select ${waitingCount('interactive')} as interactive, ${parkedCount('interactive')} as interactive_parked,
       ${waitingCount('bulk')} as bulk, ${parkedCount('bulk')} as bulk_parked,
       coalesce((
         select extract(epoch from clock_timestamp() - created_at)::float8 from outbox
         where ${waitingEntries.interactive} order by created_at limit 1
       ), 0) as oldest_seconds`,
  );
  const { interactive, interactive_parked, bulk, bulk_parked, oldest_seconds } = rows[0];
  return {
    counts: {
      interactive: { waiting: interactive, parked: interactive_parked },
      bulk: { waiting: bulk, parked: bulk_parked },
    },
    oldestSeconds: Math.max(0, oldest_seconds),
  };
}

function waitingCount(kind: Kind): string {
  return `(select count(*)::int from (
    select from outbox where ${waitingEntries[kind]}
    order by coalesce(workspace_id, 0), available_at, id limit ${countedTo}
  ) counted)`;
}

function parkedCount(kind: Kind): string {
  return `(select count(*)::int from (
    select from outbox where ${parkedEntries[kind]} order by run_type limit ${countedTo}
  ) counted)`;
}
