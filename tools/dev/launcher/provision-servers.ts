import { join } from 'node:path';
import { migrateToLatest } from '../../../db/migrator.js';
import { provisionRoles } from '../../../db/provision.js';
import type { TemporalConfiguration } from '../../../runtime/configuration.js';
import { searchAttributeNames } from '../../../runtime/temporal/run-options.js';
import { obtainTemporal } from '../provision/obtain-temporal.js';
import { postgresFiles, startPostgres } from '../provision/postgres-server.js';
import { ProvisioningError } from '../provision/provisioning-error.js';
import { startTemporal } from '../provision/temporal-server.js';
import { databaseName, databaseUrl } from './environments.js';
import type { LocalSecrets } from './local-secrets.js';
import type { SystemOptions } from './system-options.js';

/**
 * Builds the Temporal dev server where there is none yet, unless TEMPORAL_ADDRESS names a server.
 * @returns starts the dev server, or checks the other one
 */
export async function prepareTemporal(system: SystemOptions): Promise<() => Promise<void>> {
  const { settings, progress, print } = system;
  const { temporal } = settings;
  if (temporal !== undefined) {
    return () => progress.step(`Temporal at ${temporal.address}`, () => useTemporal(temporal, print));
  }
  const program = await obtainTemporal(progress);
  return () => progress.step('Temporal', () => startOwn(program, system));
}

async function useTemporal(at: TemporalConfiguration, print: (sentence: string) => void): Promise<void> {
  const { isServing, prepareNamespace } = await import('../../../runtime/temporal/namespace.js');
  if (!(await isServing(at).catch(() => false))) {
    throw new ProvisioningError(
      `The Temporal server at ${at.address} (TEMPORAL_ADDRESS) does not answer for namespace ${at.namespace}.`,
    );
  }
  await prepareNamespace(at).catch(() =>
    print(
      `Namespace ${at.namespace} could not be set up. Add these search attributes of type Keyword: ${searchAttributeNames.join(', ')}.`,
    ),
  );
}

async function startOwn(program: string, { settings, processes, supervisor }: SystemOptions) {
  const { ports, dataFolder } = settings;
  await supervisor.run({
    name: 'temporal',
    start: async () => {
      const { process } = await startTemporal({
        processes,
        program,
        port: ports.temporal.port,
        uiPort: ports.temporalUi.port,
        databaseFile: join(dataFolder, 'temporal.db'),
        logFile: join(dataFolder, 'logs/temporal.log'),
        pidFile: join(dataFolder, 'temporal.pid'),
      });
      return process;
    },
  });
}

/** Starts PostgreSQL, creates the database roles and migrates the schema to this version. */
export async function provisionDatabase(
  { settings, processes, supervisor }: SystemOptions,
  secrets: LocalSecrets,
): Promise<void> {
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
  await migrateToLatest(databaseUrl('wes_migrator', settings, secrets));
}
