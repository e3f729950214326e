import knex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrationSource } from '../../db/migrations/index.js';
import { connect } from '../support/db/connect.js';
import { useDatabase } from '../support/db/use-database.js';
import { waitFor } from '../support/lib/wait-for.js';

const database = useDatabase();
let migrator: Knex;

beforeAll(() => {
  migrator = knex({ client: 'pg', connection: database.migratorUrl });
});
afterAll(() => migrator.destroy());

/** Tables that the previous release uses meanwhile. */
const busy = ['identity.workspaces', 'chats', 'messages', 'token_usage', 'members'];

type Migration = Pick<Knex.Migration, 'up' | 'down'>;

async function findMigration(sought: string): Promise<Migration | undefined> {
  const migrations = await migrationSource.getMigrations([]);
  return migrations.find(({ name }) => name === sought)?.migration;
}

/** Which of the busy tables nobody can read while a migration is under way. */
async function lockedBy({ up }: Migration): Promise<string[]> {
  return migrator.transaction(async (tx) => {
    // Within a transaction an index is not built concurrently, which would lock less.
    const raw = (sql: string) => tx.raw(sql.replace(' concurrently', ''));
    await up({ raw, transaction: (work: () => Promise<void>) => tx.transaction(work) } as unknown as Knex);
    const { rows } = await tx.raw(
      `select relation::regclass::text as name from pg_locks
       where pid = pg_backend_pid() and mode = 'AccessExclusiveLock' and relation::regclass::text = any(?) order by 1`,
      [busy],
    );
    return rows.map(({ name }: { name: string }) => name);
  });
}

it('no migration since the baseline locks workspaces or booked calls while it waits for another table', async () => {
  const [, ...later] = await migrationSource.getMigrations([]);
  for (const { migration } of later.toReversed()) {
    await migrator.transaction(async (tx) => migration.down?.(tx));
  }

  const locked: Record<string, string[]> = {};
  for (const { name, migration } of later) locked[name] = await lockedBy(migration);

  // Each request reads its workspace, and each model call is booked.
  const shared = Object.values(locked).filter((tables) => tables.length > 1);
  expect(shared.flat()).not.toContain('identity.workspaces');
  expect(shared.flat()).not.toContain('token_usage');
});

it('a migration that adds a column to two busy tables would be found', async () => {
  const add = (table: string) => `alter table ${table} add column added text;`;

  expect(await lockedBy({ up: (tx) => tx.raw(add('identity.workspaces')) })).toEqual(['identity.workspaces']);
  expect(await lockedBy({ up: (tx) => tx.raw(add('chats') + add('token_usage')) })).toEqual([
    'chats',
    'token_usage',
  ]);
});

it('the migration of keys gives way to a request that holds its workspace and waits for the table', async () => {
  const migration = await findMigration('0255-keys-that-others-imply');
  await migration?.down?.(migrator);
  const request = await connect(database.superuserUrl);
  await request.query('begin; lock table identity.workspaces in row share mode');

  const migrated = migration?.up(migrator);
  await waitFor('it waits for workspaces', async () => {
    const { rows } = await request.query(
      `select from pg_locks where not granted and relation = 'identity.workspaces'::regclass`,
    );
    return rows.length > 0;
  });
  await request.query('lock table data_records in row exclusive mode; commit');

  await migrated;
  const { rows } = await request.query(
    `select from pg_constraint where conname like '%records_workspace_id_fkey'`,
  );
  expect(rows).toEqual([]);
  await request.end();
});

it.each([
  ['0283-changes-of-a-workspace', 'chats'],
  ['0284-held-workflows', 'workflow_definitions'],
  ['0285-old-event-data', 'event_rules'],
])('%s lets others write %s while it waits for one who does', async (name, table) => {
  const migration = await findMigration(name);
  await migration?.down?.(migrator);
  const [holder, other] = [await connect(database.superuserUrl), await connect(database.superuserUrl)];
  await holder.query(`begin; lock table ${table} in row exclusive mode`);

  const migrated = migration?.up(migrator);
  await waitFor('it waits for the table', async () => {
    const { rows } = await other.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    return rows.length > 0;
  });
  await other.query(`set lock_timeout = '5s'`);
  await other.query(`begin; lock table ${table} in row exclusive mode; commit`);
  await holder.query('commit');

  await migrated;
  const { rows } = await other.query(
    `select from pg_index where indrelid = $1::regclass and indpred is not null and not indisvalid`,
    [table],
  );
  expect(rows).toEqual([]);
  await Promise.all([holder.end(), other.end()]);
});
