import knex, { type Knex } from 'knex';
import { connectionSettings, migrationLimits } from './connection-settings.js';
import { migrationNames, migrationSource } from './migrations/index.js';

/** The database has migrations that this version does not know. The message is one sentence. */
export class ForeignMigrations extends Error {
  override readonly name = 'ForeignMigrations';
}

/**
 * Brings the database to this version's schema.
 * @returns the names of the migrations that ran
 * @throws ForeignMigrations when another version of the service has migrated it
 */
export async function migrateToLatest(migratorUrl: string): Promise<string[]> {
  return withMigrator(migratorUrl, async (migrator) => {
    const [, ran] = (await migrator.latest()) as [number, string[]];
    return ran;
  });
}

/**
 * Rolls back the migrations of the last run, or all of them.
 * @returns the names of the migrations that were rolled back
 */
export async function rollBack(migratorUrl: string, { all = false } = {}): Promise<string[]> {
  return withMigrator(migratorUrl, async (migrator) => {
    const [, takenBack] = (await migrator.rollback(undefined, all)) as [number, string[]];
    return takenBack;
  });
}

async function withMigrator<T>(url: string, work: (migrator: Knex.Migrator) => Promise<T>): Promise<T> {
  const database = knex({
    client: 'pg',
    connection: connectionSettings(url, 'wes-migrate', migrationLimits) as Knex.PgConnectionConfig,
    pool: { min: 0, max: 2 },
    migrations: { migrationSource },
  });
  try {
    await refuseForeignMigrations(database);
    return await work(database.migrate);
  } finally {
    await database.destroy();
  }
}

async function refuseForeignMigrations(database: Knex): Promise<void> {
  if (!(await database.schema.hasTable('knex_migrations'))) return;
  const rows = await database('knex_migrations').orderBy('id').select<{ name: string }[]>('name');
  const unknown = rows.map((row) => row.name).filter((name) => !migrationNames.includes(name));
  if (unknown.length === 0) return;
  throw new ForeignMigrations(
    `The database was migrated by another version of the service, which added ${unknown.join(', ')}: ` +
      'run that version or a newer one, or use another database.',
  );
}
