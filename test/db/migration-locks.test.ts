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

/** Which of the busy tables nobody can read while a migration is under way. */
async function lockedBy({ up }: Migration): Promise<string[]> {
  return migrator.transaction(async (tx) => {
    await up(tx);
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
  const later = await migrationSource.getMigrations([]);
  const { migration } = later.find(({ name }) => name === '0255-keys-that-others-imply') ?? {};
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
