import type { Knex } from 'knex';
import { tenantTable } from './tenant-table.js';

/**
 * How many segments a phone number sends in a second, and when its next slot is
 * (docs/decisions/0139-a-pace-for-each-number.md); how many messages are due and not sent. The index comes first: while it is
 * built, deliveries are read and not written, and nothing else is locked.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index deliveries_due on deliveries ((coalesce(not_before, created_at))) where state = 'queued';

    -- Sees all workspaces, so only the relay may call it, and it returns numbers alone. What waits behind an earlier
    -- message of its chat is not due.
    create function due_deliveries(late interval, most integer)
      returns table (oldest_seconds float8, deliveries integer)
      language sql stable security definer set search_path = pg_catalog, pg_temp
      set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
      as $$
        with late as materialized (
          select workspace_id, chat_id, id, coalesce(not_before, created_at) as due_at from public.deliveries
          where state = 'queued' and coalesce(not_before, created_at) < now() - $1
          order by coalesce(not_before, created_at) limit $2
        ),
        due as (
          select due_at from late
          where not exists (
            select from public.deliveries earlier
            where earlier.workspace_id = late.workspace_id and earlier.chat_id = late.chat_id
              and earlier.state = 'queued' and earlier.id < late.id and earlier.not_before > now()
          )
        )
        select coalesce(extract(epoch from now() - min(due_at))::float8, 0), count(*)::integer from due
      $$;
    revoke execute on function due_deliveries(interval, integer) from public;
    grant execute on function due_deliveries(interval, integer) to wes_relay;

    ${tenantTable(
      'sender_paces',
      `sender text not null,
       next_at timestamptz not null,
       late_at timestamptz,
       paused_until timestamptz,
       unique (workspace_id, sender)`,
    )}
    alter table phone_numbers
      add column segments_per_second double precision check (segments_per_second > 0);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table phone_numbers drop column segments_per_second;
    drop table sender_paces;
    drop function due_deliveries(interval, integer);
    drop index deliveries_due;
  `);
}
