import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { commandLineOf, endProcess } from './pid-file.js';
import { findPostgresBinaries } from './postgres-binaries.js';
import { postgresUser } from './postgres-user.js';
import { ProvisioningError } from './provisioning-error.js';

const run = promisify(execFile);

export interface FolderOptions {
  folder: string;
  password: string;
  /** False: the data need not survive a power failure. */
  durable: boolean;
}

/**
 * Creates the data folder if it does not exist. Discards the incomplete folder of an interrupted start.
 * @throws ProvisioningError
 */
export async function initialiseFolder({ folder, password, durable }: FolderOptions): Promise<void> {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  const unfinished = `${folder}.unfinished`;
  const passwordFile = `${folder}.password`;
  const user = postgresUser();
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user !== undefined) {
    chownSync(unfinished, user.uid, user.gid);
    chownSync(passwordFile, user.uid, user.gid);
  }
  try {
    await run(
      findPostgresBinaries().initdb,
      [
        ...['--pgdata', unfinished, '--username', 'postgres', '--pwfile', passwordFile],
        // Do not depend on the locale of the machine.
        ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-locale'],
        ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
        ...(durable ? [] : ['--no-sync']),
      ],
      { cwd: parent, ...user },
    );
  } catch (error) {
    const reason = String((error as { stderr?: string }).stderr ?? error)
      .replace(/\s+/g, ' ')
      .slice(-300);
    throw new ProvisioningError(`The PostgreSQL data folder ${folder} could not be created: ${reason}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, folder);
}

/** @throws ProvisioningError when another major version of PostgreSQL created the folder */
export function refuseOtherVersion(folder: string): void {
  const { majorVersion } = findPostgresBinaries();
  const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (found === majorVersion) return;
  throw new ProvisioningError(
    `The database in ${folder} was created by PostgreSQL ${found}, but this version of the service uses PostgreSQL ${majorVersion}. Go back to the version that created it, or delete the data and start again with npm start -- --fresh.`,
  );
}

/**
 * Ends a server that a killed launcher left running on the folder, and removes a stale lock file. PostgreSQL itself
 * would refuse to start if an unrelated process had reused the id in that file.
 * @returns whether such a server was running
 */
export async function endOrphan(folder: string): Promise<boolean> {
  const lockFile = join(folder, 'postmaster.pid');
  const pid = readPid(lockFile);
  if (pid === undefined) return false;
  const commandLine = commandLineOf(pid) ?? '';
  const ours = commandLine.includes('postgres') && commandLine.includes(` -D ${folder} `);
  // SIGINT is PostgreSQL's fast shutdown: it disconnects the sessions and writes all data.
  if (ours) await endProcess(pid, { signal: 'SIGINT', graceMs: 15_000 });
  rmSync(lockFile, { force: true });
  return ours;
}

function readPid(lockFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
