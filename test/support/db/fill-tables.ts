import type pg from 'pg';

/**
 * Has `work` store many rows as fast as PostgreSQL can, by a superuser: triggers rest, keys of other tables are not looked
 * up, and indexes that are no constraint's are made afterwards. Statistics come when they are asked for: a table that
 * was just filled has none.
 */
export async function fillTables<Result>(
  superuser: Pick<pg.Client, 'query'>,
  tables: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  await superuser.query(`set session_replication_role = replica; set synchronous_commit = off;
    set maintenance_work_mem = '256MB'`);
  for (const table of tables) await superuser.query(`alter table ${table} set (autovacuum_enabled = off)`);
  const { rows } = await superuser.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = any($1::text[]::regclass[])
       and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)`,
    [tables],
  );
  for (const { name } of rows) await superuser.query(`drop index ${name}`);
  const result = await work();
  for (const { definition } of rows) await superuser.query(definition);
  await superuser.query(
    'reset session_replication_role; reset synchronous_commit; reset maintenance_work_mem',
  );
  return result;
}
