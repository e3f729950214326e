import { pathToFileURL } from 'node:url';
import { migrateToLatest, rollBack } from './migrator.js';
import { provisionRoles, provisionTemporal, rolesFromUrls } from './provision.js';

const usage =
  'Usage: migrate latest | rollback [--all] | provision (roles and database, as SUPERUSER_DATABASE_URL).';

/** Runs one command of the command line. Returns the message for the operator. */
export async function migrate(
  [command, ...flags]: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const url = (name: string): string => {
    const value = environment[name]?.trim();
    if (!value) throw new Error(`${name} is not set.`);
    return value;
  };
  switch (command) {
    case 'latest':
      return report('Applied', await migrateToLatest(url('MIGRATOR_DATABASE_URL')));
    case 'rollback':
      return report('Took back', await rollBack(url('MIGRATOR_DATABASE_URL'), flags.includes('--all')));
    case 'provision': {
      const urls = [url('MIGRATOR_DATABASE_URL'), url('DATABASE_URL'), url('RELAY_DATABASE_URL')] as const;
      const { database } = await provisionRoles(url('SUPERUSER_DATABASE_URL'), rolesFromUrls(...urls));
      const temporalPassword = environment.TEMPORAL_DATABASE_PASSWORD?.trim();
      if (!temporalPassword) return `Roles and database ${database} are in place.`;
      await provisionTemporal(url('SUPERUSER_DATABASE_URL'), temporalPassword);
      return `Roles and databases ${database} and temporal are in place.`;
    }
    default:
      throw new Error(usage);
  }
}

function report(verb: string, names: readonly string[]): string {
  return names.length === 0 ? 'Nothing to do.' : `${verb} ${names.join(', ')}.`;
}

function sentence(error: unknown): string {
  if (error instanceof AggregateError) return sentence(error.errors[0]);
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    console.log(await migrate(process.argv.slice(2), process.env));
  } catch (error) {
    console.error(sentence(error));
    process.exitCode = 1;
  }
}
