import type { Knex } from 'knex';

/**
 * Where an erasure has stopped, so that the next slice goes on there, and when a finished one was begun anew. How old the
 * oldest erasure is that still has something to erase, for the relay's gauges
 * (docs/decisions/0248-erasures-go-on-whatever-is-stored.md).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table person_erasures add column place jsonb, add column reopened_at timestamptz;
    create index person_erasures_not_erased on person_erasures ((coalesce(reopened_at, created_at)))
      where erased_at is null;
    -- Sees all workspaces, so only the relay may call it, and it returns a number alone.
    create function oldest_erasure_seconds() returns float8
      language sql stable security definer set search_path = pg_catalog, pg_temp
      set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
      as $$
        select coalesce((
          select greatest(0, extract(epoch from now() - coalesce(reopened_at, created_at)))::float8
          from public.person_erasures where erased_at is null
          order by coalesce(reopened_at, created_at) limit 1
        ), 0)
      $$;
    revoke execute on function oldest_erasure_seconds() from public;
    grant execute on function oldest_erasure_seconds() to wes_relay;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function oldest_erasure_seconds();
    drop index person_erasures_not_erased;
    alter table person_erasures drop column place, drop column reopened_at;
  `);
}
