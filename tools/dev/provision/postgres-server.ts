import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgresBinaries } from './postgres-binaries.js';
import { endOrphan, initialiseFolder, refuseOtherVersion } from './postgres-folder.js';
import { canReach, postgresUser } from './postgres-user.js';
import type { ManagedProcess, ProcessTable } from './processes.js';
import { ProvisioningError } from './provisioning-error.js';

export interface PostgresOptions {
  processes: ProcessTable;
  /** The data folder; created if it does not exist. */
  folder: string;
  port: number;
  /** The password of the superuser `postgres`, set when the folder is created. */
  password: string;
  logFile: string;
  settings?: readonly string[];
}

export interface PostgresServer {
  process: ManagedProcess;
  port: number;
  /** Connection string of the superuser for the database `postgres`. */
  superuserUrl: string;
}

/**
 * Starts the embedded PostgreSQL on a folder and waits until it accepts connections. First ends a server that a killed
 * launcher left running on that folder.
 * @throws ProvisioningError
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { folder, port, password } = options;
  const { postgres } = findPostgresBinaries();
  await initialiseFolder({ folder, password, durable: !options.settings?.includes('fsync=off') });
  refuseOtherVersion(folder);
  await endOrphan(folder);

  const superuserUrl = postgresUrl({ user: 'postgres', password, port, database: 'postgres' });
  const deadline = Date.now() + 15_000;
  for (;;) {
    const server = await launch(postgres, options);
    if (await server.reaches(() => answers(superuserUrl), { withinMs: 60_000 })) {
      return { process: server, port, superuserUrl };
    }
    await server.kill();
    // The sessions of a killed server keep the folder locked until they notice that it is gone. Try again.
    const locked = server.lastLines().includes('shared memory block');
    if (!locked || Date.now() > deadline) {
      throw new ProvisioningError(`PostgreSQL did not start on port ${port}: ${server.lastLines()}`);
    }
  }
}

function launch(postgres: string, options: PostgresOptions): Promise<ManagedProcess> {
  const { processes, folder, port, logFile } = options;
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    // Otherwise the log quotes the row that violated a constraint.
    'log_error_verbosity=terse',
    ...(options.settings ?? []),
  ];
  const user = postgresUser();
  return processes.start({
    name: 'postgres',
    command: postgres,
    args: ['-D', folder, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    ...(user === undefined ? {} : { user }),
    cwd: folder,
    env: { ...process.env, LC_MESSAGES: 'C' },
    logFile,
    stopSignal: 'SIGINT',
  });
}

export function postgresUrl(to: { user: string; password: string; port: number; database: string }): string {
  return `postgresql://${to.user}:${encodeURIComponent(to.password)}@127.0.0.1:${to.port}/${to.database}`;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function postgresFiles(root: string): { folder: string; logFile: string } {
  mkdirSync(root, { recursive: true });
  // PostgreSQL may run as another user and must be able to pass through; the data folder itself is private.
  chmodSync(root, 0o755);
  return { folder: join(reachableRoot(root), 'postgres'), logFile: join(root, 'logs/postgres.log') };
}

/** Uses a folder in /var/tmp if the user `postgres` cannot reach `root`, as in a checkout below /root. */
function reachableRoot(root: string): string {
  if (canReach(root)) return root;
  const name = createHash('sha256').update(root).digest('hex').slice(0, 12);
  const elsewhere = join('/var/tmp', `wes-data-${name}`);
  mkdirSync(elsewhere, { recursive: true });
  if (statSync(elsewhere).uid !== process.getuid?.()) {
    throw new ProvisioningError(`${elsewhere} belongs to another user.`);
  }
  chmodSync(elsewhere, 0o755);
  return elsewhere;
}
