import knex, { type Knex } from 'knex';
import { connectionSettings, migrationLimits } from './connection-settings.js';
import { migrationNames, migrationSource } from './migrations/index.js';

/** The database has migrations that this version does not know. The message is one sentence. */
export class ForeignMigrations extends Error {
  override readonly name = 'ForeignMigrations';
}

/**
 * Brings the database to this version's schema. Each migration has a transaction of its own: in one for all, the locks of the
 * first would be held until the last has built its indexes. What was applied before one that fails stays. @returns the names of the migrations that ran
 * @throws ForeignMigrations when another version of the service has migrated it
 */
export function migrateToLatest(migratorUrl: string): Promise<string[]> {
  return withMigrator(migratorUrl, applyAll);
}

/** Rolls back the migrations of the last run, or all of them. @returns their names */
export function rollBack(migratorUrl: string, all = false): Promise<string[]> {
  return withMigrator(migratorUrl, ({ migrate }) => migrate.rollback(undefined, all));
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
  work: (database: Knex) => Promise<[number, string[]]>,
): Promise<string[]> {
  const database = knex({
    client: 'pg',
    connection: connectionSettings(url, 'wes-migrate', migrationLimits) as Knex.PgConnectionConfig,
    pool: { min: 0, max: 2 },
    migrations: { migrationSource },
  });
  try {
    await refuseForeignMigrations(database);
    const [, names] = await work(database);
    return names;
  } finally {
    await database.destroy();
  }
}

async function refuseForeignMigrations(database: Knex): Promise<void> {
  if (!(await database.schema.hasTable('knex_migrations'))) return;
  const names: string[] = await database('knex_migrations').orderBy('id').pluck('name');
  const unknown = names.filter((name) => !migrationNames.includes(name));
  if (unknown.length === 0) return;
  throw new ForeignMigrations(
    `The database was migrated by another version of the service, which added ${unknown.join(', ')}: ` +
      'run that version or a newer one, or use another database.',
  );
}
