import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { endProcess } from './pid-file.js';
import { findPostgresBinaries } from './postgres-binaries.js';
import { postgresUser } from './postgres-user.js';
import { commandLineOf } from './process-identity.js';
import { ProvisioningError } from './provisioning-error.js';

const run = promisify(execFile);

export interface FolderOptions {
  folder: string;
  /** Of the superuser `postgres`. */
  password: string;
  /** False: nothing has to survive a loss of power. */
  durable: boolean;
}

/**
 * Makes the data folder where there is none yet. One that was half made by a killed start is made anew.
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
        // The same on every machine, whatever its locale.
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
    throw new ProvisioningError(`The PostgreSQL data folder ${folder} could not be made: ${reason}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, folder);
}

/** @throws ProvisioningError when the folder was made by another major version of PostgreSQL */
export function refuseOtherVersion(folder: string): void {
  const { majorVersion } = findPostgresBinaries();
  const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (found === majorVersion) return;
  throw new ProvisioningError(
    `The database in ${folder} was made by PostgreSQL ${found}, and this version of the service brings PostgreSQL ${majorVersion}: go back to the version that made it, or start empty with npm start -- --fresh.`,
  );
}

/**
 * Ends a server that still works on the folder because its launcher was killed, and clears the lock file of
 * one that is gone: the server itself mistakes any process that got the old one's id for it.
 * @returns whether a server had to be ended
 */
export async function endOrphan(folder: string): Promise<boolean> {
  const lockFile = join(folder, 'postmaster.pid');
  const pid = readPid(lockFile);
  if (pid === undefined) return false;
  const commandLine = commandLineOf(pid) ?? '';
  const ours = commandLine.includes('postgres') && commandLine.includes(` -D ${folder} `);
  // SIGINT is PostgreSQL's fast shutdown: sessions are ended, data are written.
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
