import type { Knex } from 'knex';

/**
 * Lets the service analyze tables that have just grown. PostgreSQL does so by itself within minutes; until then it
 * assumes that `workspace_id = …` finds one row, and an import writes thousands of them. Only tables of the owner that
 * have changed by more than a third are analyzed, so frequent calls cost little.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function gather_statistics() returns void
      language plpgsql security definer set search_path = pg_catalog, pg_temp
      as $$
      declare grown regclass;
      begin
        for grown in
          select relid from pg_stat_user_tables join pg_class on pg_class.oid = relid
          where schemaname = 'public' and relowner = current_user::regrole
            and n_mod_since_analyze > 100 and n_mod_since_analyze > n_live_tup / 3
        loop
          execute format('analyze (skip_locked) %s', grown);
        end loop;
      end $$;
    revoke execute on function gather_statistics() from public;
    grant execute on function gather_statistics() to wes_app;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function gather_statistics();');
}
