import { migrateToLatest } from '../../../db/migrator.js';
import { provisionRoles } from '../../../db/provision.js';
import { postgresFiles, startPostgres } from '../provision/postgres-server.js';
import type { ProcessTable } from '../provision/process-table.js';
import { type Addresses, databaseName } from './environments.js';
import type { LocalSecrets } from './local-secrets.js';
import type { LocalSettings } from './local-settings.js';
import type { Supervisor } from './supervisor.js';

interface DatabaseProvisioning {
  settings: LocalSettings;
  secrets: LocalSecrets;
  addresses: Addresses;
  processes: ProcessTable;
  supervisor: Supervisor;
}

/** Starts PostgreSQL, creates the database roles and migrates the schema to this version. */
export async function provisionDatabase(provisioning: DatabaseProvisioning): Promise<void> {
  const { settings, secrets, addresses, processes, supervisor } = provisioning;
  let superuserUrl = '';
  await supervisor.run({
    name: 'postgres',
    start: async () => {
      const server = await startPostgres({
        processes,
        ...postgresFiles(settings.dataFolder),
        port: settings.ports.postgres.port,
        password: secrets.postgres,
      });
      superuserUrl = server.superuserUrl;
      return server.process;
    },
  });
  await provisionRoles(superuserUrl, { database: databaseName, passwords: secrets.roles });
  await migrateToLatest(addresses.migratorUrl);
}
