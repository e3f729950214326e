import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { migrate } from '../../db/migrate.js';
import { migrationNames, migrationSource } from '../../db/migrations/index.js';
import { migrateToLatest, rollBack } from '../../db/migrator.js';
import { queryOnce } from '../support/db/connect.js';
import { useDatabase } from '../support/db/use-database.js';

const testDatabase = useDatabase();

const run = (...args: string[]) => migrate(args, { MIGRATOR_DATABASE_URL: testDatabase.migratorUrl });

test('migrate rolls back every migration and applies it again', async () => {
  const migrated = await catalogue();

  expect(await run('rollback', '--all')).toBe(`Took back ${[...migrationNames].reverse().join(', ')}.`);
  expect(await left()).toEqual(['public.knex_migrations', 'public.knex_migrations_lock']);
  expect(await run('latest')).toBe(`Applied ${migrationNames.join(', ')}.`);

  expect(await catalogue()).toEqual(migrated);
});

test('migrate changes nothing when it runs twice', async () => {
  await run('latest');

  expect(await run('latest')).toBe('Nothing to do.');
});

test('migrate keeps what it applied before a migration that fails, and goes on there', async () => {
  const added = ['first', 'second', 'third'].map((table) => ({
    name: `9001-${table}`,
    migration: {
      up: (tx: Knex) => tx.raw(`create table added_${table} ()`),
      down: (tx: Knex) => tx.raw(`drop table added_${table}`),
    },
  }));
  const all = [...(await migrationSource.getMigrations([])), ...added];
  const source = { ...migrationSource, getMigrations: async () => all };
  const latest = () => migrateToLatest(testDatabase.migratorUrl, source);
  await run('latest');
  await query('create table added_second ()');
  await expect(latest()).rejects.toThrow('already exists');
  expect(await applied()).toEqual([...migrationNames, '9001-first']);

  await query('drop table added_second');
  expect(await latest()).toEqual(['9001-second', '9001-third']);

  const takeBack = () => rollBack(testDatabase.migratorUrl, false, source);
  expect(await takeBack()).toEqual(['9001-third', '9001-second']);
  expect(await latest()).toEqual(['9001-second', '9001-third']);
  for (const _run of [1, 2]) await takeBack();
  expect(await applied()).toEqual(migrationNames);
});

test('migrate goes on after a process that died in the middle, and several go on one after the other', async () => {
  await query('update knex_migrations_lock set is_locked = 1');

  expect(await Promise.all([run('latest'), run('latest')])).toEqual(['Nothing to do.', 'Nothing to do.']);
});

test('migrate ends what it has begun when the connection that holds its lock is lost', async () => {
  const cut = {
    name: '9001-cut',
    migration: {
      up: (tx: Knex) =>
        tx.raw(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'wes-migrate-lock'`,
        ),
      down: async () => {},
    },
  };
  const all = [...(await migrationSource.getMigrations([])), cut];
  const source = { ...migrationSource, getMigrations: async () => all };

  expect(await migrateToLatest(testDatabase.migratorUrl, source)).toEqual(['9001-cut']);

  await rollBack(testDatabase.migratorUrl, false, source);
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

/** The migrations that the baseline replaces: some names, and the last one. */
const replaced = [
  ...Array.from({ length: 163 }, (_, index) => `${String(index + 1).padStart(4, '0')}-step`),
  '0254-texts-of-the-carrier',
];

/** Notes that these were applied before the baseline was made, in runs of ten. */
async function stepsInsteadOfBaseline(names: readonly string[]): Promise<void> {
  const rows = names.map((name, index) => `('${name}', ${Math.floor(index / 10)}, now())`);
  await query(`delete from knex_migrations where name = '0001-baseline'`);
  await query(`insert into knex_migrations (name, batch, migration_time) values ${rows}`);
}

test('migrate goes on where the migrations before the baseline have made the schema, and keeps the rows', async () => {
  const [kept] = await query(
    `insert into identity.workspaces (name, slug) values ('A', 'kept') returning id`,
  );
  const migrated = await catalogue();
  await stepsInsteadOfBaseline(replaced);

  expect(await run('latest')).toBe('Nothing to do.');

  expect((await applied()).sort()).toEqual(migrationNames);
  expect(await query(`select id from identity.workspaces where slug = 'kept'`)).toEqual([kept]);
  expect(await catalogue()).toEqual(migrated);
});

test('migrate refuses a database that stands before the last migration that the baseline replaces', async () => {
  const sentence =
    'The database stands at 0100-step, from before the baseline: migrate it to 0254-texts-of-the-carrier by the ' +
    'last version that has these migrations, and then start this one.';
  const earlier = replaced.slice(0, 100);
  await stepsInsteadOfBaseline(earlier);

  for (const command of ['latest', 'rollback']) await expect(run(command)).rejects.toThrow(sentence);
  expect(await applied()).toEqual([...migrationNames.slice(1), ...earlier]);

  await query(`delete from knex_migrations where name like '%-step'`);
  await stepsInsteadOfBaseline(replaced.filter((name) => name !== '0100-step'));
  await expect(run('latest')).rejects.toThrow('from before the baseline');
  await query(`insert into knex_migrations (name, batch, migration_time) values ('0100-step', 99, now())`);
  expect(await run('latest')).toBe('Nothing to do.');
});

test('migrate does not roll the baseline back where it is the last run, which would drop all rows', async () => {
  await run('rollback', '--all');
  await run('latest');

  await expect(run('rollback')).rejects.toThrow(
    'The last run has made the whole schema: `migrate rollback --all` drops it with all its rows.',
  );

  expect(await run('latest')).toBe('Nothing to do.');
});

test('migrate names a missing connection string', async () => {
  await expect(migrate(['latest'], {})).rejects.toThrow('MIGRATOR_DATABASE_URL is not set.');
});

const query = (text: string) => queryOnce(testDatabase.migratorUrl, text);

async function applied(): Promise<string[]> {
  const rows = await query('select name from knex_migrations order by id');
  return rows.map(({ name }) => name);
}

async function left(): Promise<string[]> {
  const rows = await query(
    `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'identity')
     union all select proname from pg_proc where pronamespace = 'public'::regnamespace
     union all select nspname from pg_namespace where nspname = 'identity'
     union all select extname from pg_extension where extname <> 'plpgsql' order by 1`,
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
     union all
     select 'function', oid::regprocedure::text, pg_get_userbyid(proowner) || ' ' || prosrc
      from pg_proc where pronamespace in ('public'::regnamespace, 'identity'::regnamespace)
     union all
     select 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     order by 1, 2, 3`,
  );
}
