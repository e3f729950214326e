import knex, { type Knex } from 'knex';
import pg from 'pg';
import { connectionSettings, migrationLimits } from './connection-settings.js';
import { migrationSource } from './migrations/index.js';

/** The migrations that the baseline replaces: their number, and the last one (docs/decisions/0262-one-baseline.md). */
const replaced = { count: 164, last: '0254-texts-of-the-carrier' };
const baseline = '0001-baseline';

/** This version cannot migrate the database from where it stands. The message is one sentence. */
export class ForeignMigrations extends Error {
  override readonly name = 'ForeignMigrations';
}

type Source = typeof migrationSource;

/**
 * Brings the database to this version's schema; of several processes, one after the other. Each migration has a transaction of
 * its own, or several: in one for all, the locks of the first would be held until the last has built its indexes. What was
 * applied before one that fails stays.
 * @returns the names of the migrations that ran
 * @throws ForeignMigrations when another version of the service has migrated it
 */
export function migrateToLatest(migratorUrl: string, source: Source = migrationSource): Promise<string[]> {
  return withMigrator(migratorUrl, source, applyAll);
}

/** Rolls back the migrations of the last run, or all of them. @returns their names */
export function rollBack(
  migratorUrl: string,
  all = false,
  source: Source = migrationSource,
): Promise<string[]> {
  return withMigrator(migratorUrl, source, async (database) => {
    if (!all) await keepBaseline(database);
    return database.migrate.rollback(undefined, all);
  });
}

/** Rolling it back drops all rows, and where nothing was migrated since, it is the last run. */
async function keepBaseline(database: Knex): Promise<void> {
  const applied = await appliedIn(database);
  const last = Math.max(...applied.map(({ batch }) => batch));
  if (!applied.some(({ name, batch }) => name === baseline && batch === last)) return;
  throw new Error(
    'The last run has made the whole schema: `migrate rollback --all` drops it with all its rows.',
  );
}

/** The migrations of one run are one batch, which is rolled back together. */
async function applyAll(database: Knex): Promise<[number, string[]]> {
  const applied: string[] = [];
  let batch = 0;
  for (;;) {
    const [number, names]: [number, string[]] = await database.migrate.up();
    const [name] = names;
    if (name === undefined) return [batch, applied];
    if (applied.length === 0) batch = number;
    else await database('knex_migrations').where({ name }).update({ batch });
    applied.push(name);
  }
}

async function withMigrator(
  url: string,
  source: Source,
  work: (database: Knex) => Promise<[number, string[]]>,
): Promise<string[]> {
  const database = knex({
    client: 'pg',
    connection: connectionSettings(url, 'wes-migrate', migrationLimits) as Knex.PgConnectionConfig,
    pool: { min: 0, max: 2 },
    migrations: { migrationSource: source },
  });
  const lock = new pg.Client(connectionSettings(url, 'wes-migrate-lock', migrationLimits));
  // Without a listener, losing this connection would end the process in the middle of a migration.
  lock.on('error', () => {});
  try {
    await lock.connect();
    await lock.query(`select pg_advisory_lock(hashtext('wes migrate'))`);
    // Nobody else migrates now: a flag that is set is that of a process which has died.
    await database.migrate.forceFreeMigrationsLock();
    await takeBaseline(database);
    await refuseForeignMigrations(database, source);
    const [, names] = await work(database);
    return names;
  } finally {
    await Promise.all([database.destroy(), lock.end()]);
  }
}

async function appliedIn(database: Knex): Promise<{ name: string; batch: number }[]> {
  if (!(await database.schema.hasTable('knex_migrations'))) return [];
  return database('knex_migrations').orderBy('id').select('name', 'batch');
}

/**
 * Notes the baseline as applied where the migrations that it replaces were: they have made the same schema.
 * @throws ForeignMigrations when only some of them were
 */
async function takeBaseline(database: Knex): Promise<void> {
  await database.transaction(async (tx) => {
    const earlier = (await appliedIn(tx))
      .map(({ name }) => name)
      .filter((name) => name !== baseline && name <= replaced.last);
    const [first, ...others] = earlier;
    if (first === undefined) return;
    if (earlier.length < replaced.count || !earlier.includes(replaced.last)) {
      throw new ForeignMigrations(
        `The database stands at ${earlier.at(-1)}, from before the baseline: migrate it to ${replaced.last} by the ` +
          'last version that has these migrations, and then start this one.',
      );
    }
    await tx('knex_migrations').where({ name: first }).update({ name: baseline });
    await tx('knex_migrations').whereIn('name', others).delete();
  });
}

async function refuseForeignMigrations(database: Knex, source: Source): Promise<void> {
  const known = (await source.getMigrations([])).map(source.getMigrationName);
  const unknown = (await appliedIn(database)).map(({ name }) => name).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new ForeignMigrations(
    `The database was migrated by another version of the service, which added ${unknown.join(', ')}: ` +
      'run that version or a newer one, or use another database.',
  );
}
