import { executableBy } from '../tenant-table.js';

/**
 * What all areas use. Schema `identity` contains the tables that are read before a tenant is known: they have no
 * policies, and only `db/identity` accesses them.
 */
export const schema = `
  create schema identity;
  grant usage on schema identity to wes_app;
  grant usage on schema public to wes_app, wes_relay, wes_search;
  create extension if not exists btree_gin;

  create function current_workspace() returns bigint language sql stable parallel safe
    as $$ select nullif(current_setting('app.workspace_id', true), '')::bigint $$;
  grant execute on function current_workspace() to wes_search;

  -- PostgreSQL analyzes tables that have grown within minutes; until then it assumes that workspace_id = … finds one
  -- row, and an import writes thousands of them. Frequent calls cost little.
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
  ${executableBy('wes_app', 'gather_statistics()')}
`;
