import { expect, test } from 'vitest';
import { migrate } from '../../db/migrate.js';
import { migrationNames } from '../../db/migrations/index.js';
import { queryOnce } from '../support/db/connect.js';
import { useDatabase } from '../support/db/use-database.js';

const testDatabase = useDatabase();

const run = (...args: string[]) => migrate(args, { MIGRATOR_DATABASE_URL: testDatabase.migratorUrl });

test('migrate rolls back every migration and applies it again', async () => {
  const migrated = await catalogue();

  expect(await run('rollback', '--all')).toBe(`Took back ${[...migrationNames].reverse().join(', ')}.`);
  expect(await tables()).toEqual(['public.knex_migrations', 'public.knex_migrations_lock']);
  expect(await run('latest')).toBe(`Applied ${migrationNames.join(', ')}.`);

  expect(await catalogue()).toEqual(migrated);
});

test('migrate changes nothing when it runs twice', async () => {
  await run('latest');

  expect(await run('latest')).toBe('Nothing to do.');
});

test('migrate keeps what it applied before a migration that fails, and goes on there', async () => {
  const place = migrationNames.indexOf('0080-credit-budgets');
  const [earlier, later] = [migrationNames.slice(0, place), migrationNames.slice(place)];
  await run('rollback', '--all');
  await query('create table usage_days ()');
  await expect(run('latest')).rejects.toThrow('already exists');
  const applied = await query('select name from knex_migrations order by id');
  expect(applied.map(({ name }) => name)).toEqual(earlier);

  await query('drop table usage_days');
  expect(await run('latest')).toBe(`Applied ${later.join(', ')}.`);

  expect(await run('rollback')).toBe(`Took back ${[...later].reverse().join(', ')}.`);
  expect(await run('latest')).toBe(`Applied ${later.join(', ')}.`);
});

test('migrate refuses in one sentence a database that another version has migrated', async () => {
  await query(
    `insert into knex_migrations (name, batch, migration_time) values ('9999-from-the-future', 99, now())`,
  );

  await expect(run('latest')).rejects.toThrow(
    'The database was migrated by another version of the service, which added 9999-from-the-future: ' +
      'run that version or a newer one, or use another database.',
  );

  await query(`delete from knex_migrations where name = '9999-from-the-future'`);
});

test('migrate names a missing connection string', async () => {
  await expect(migrate(['latest'], {})).rejects.toThrow('MIGRATOR_DATABASE_URL is not set.');
});

const query = (text: string) => queryOnce(testDatabase.migratorUrl, text);

async function tables(): Promise<string[]> {
  const rows = await query(
    `select schemaname || '.' || tablename as name from pg_tables
     where schemaname in ('public', 'identity') order by 1`,
  );
  return rows.map(({ name }) => name);
}

async function catalogue(): Promise<unknown[]> {
  return query(
    `select 'column' as kind, table_schema || '.' || table_name || '.' || column_name as name,
        data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as definition
      from information_schema.columns where table_schema in ('public', 'identity')
     union all
     select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
      from pg_constraint where connamespace in ('public'::regnamespace, 'identity'::regnamespace)
     union all
     select 'index', indexname, indexdef from pg_indexes where schemaname in ('public', 'identity')
     union all
     select 'policy', tablename || '.' || policyname, coalesce(qual, '') || coalesce(with_check, '')
      from pg_policies
     union all
     select 'grant', table_schema || '.' || table_name || ' ' || grantee, privilege_type
      from information_schema.role_table_grants where table_schema in ('public', 'identity')
     order by 1, 2, 3`,
  );
}
