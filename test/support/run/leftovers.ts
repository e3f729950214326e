import { existsSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { endLeftover, runningPid } from '../../../tools/dev/provision/pid-file.js';
import { endOrphan } from '../../../tools/dev/provision/postgres-folder.js';
import { postgresFiles } from '../../../tools/dev/provision/postgres-server.js';

export const runFolderPrefix = 'wes-test-';
/** Where the id of one of the service's own programs stands, in a folder of its own. */
export const servicePidFile = 'service.pid';

const memory = '/dev/shm';
const roomyBytes = 8 * 1024 ** 3;

/**
 * The folder for the folders of runs: in memory if there is room, because a clone of the template creates 767 files,
 * which costs ten times as much on a disk. `TMPDIR` overrides it.
 */
export function runRoot(): string {
  if (process.env.TMPDIR !== undefined || !existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= roomyBytes ? memory : tmpdir();
}

/** The sessions of a killed PostgreSQL may still be writing for a moment. */
const patience = { maxRetries: 20, retryDelay: 50 };

/** Ends and removes what test runs left behind that were killed before they could. */
export async function clearLeftovers(root = runRoot()): Promise<void> {
  for (const name of readdirSync(root).filter((entry) => entry.startsWith(runFolderPrefix))) {
    const folder = join(root, name);
    const runFile = join(folder, 'run.pid');
    if (!existsSync(runFile) || runningPid(runFile) !== undefined) continue;
    // Another run that starts now may be at it as well: whoever comes second finds it gone.
    await clearFolder(folder).catch(() => undefined);
  }
}

/** Ends the programs that work in a folder, and in the folders of single tests below it, and removes it. */
export async function clearFolder(folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith('own-'))) {
    await clearFolder(join(folder, name));
  }
  await endLeftover(join(folder, servicePidFile), { graceMs: 1_000 });
  await clearPostgres(folder);
  await endLeftover(join(folder, 'temporal.pid'), { graceMs: 1_000 });
  rmSync(folder, { recursive: true, force: true, ...patience });
}

/** Its data lie elsewhere where the user it runs as cannot reach the folder. */
async function clearPostgres(root: string): Promise<void> {
  if (!existsSync(join(root, 'logs/postgres.log'))) return;
  const { folder } = postgresFiles(root);
  await endOrphan(folder);
  if (dirname(folder) !== root) rmSync(dirname(folder), { recursive: true, force: true, ...patience });
}
