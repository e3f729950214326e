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

/** Where folders of runs may lie: in memory or on disk. `TMPDIR` overrides both. */
const runRoots = (): string[] =>
  process.env.TMPDIR === undefined && existsSync(memory) ? [memory, tmpdir()] : [tmpdir()];

/**
 * Where the folder of a new run lies: in memory if there is room, because a clone of the template creates 767 files,
 * which cost ten times as much on a disk.
 */
export function runRoot(): string {
  return runRoots().find((root) => root !== memory || isRoomy(root)) ?? tmpdir();
}

function isRoomy(root: string): boolean {
  const { bavail, bsize } = statfsSync(root);
  return bavail * bsize >= roomyBytes;
}

/** The sessions of a killed PostgreSQL may still be writing for a moment. */
const patience = { maxRetries: 20, retryDelay: 50 };

/** Ends and removes what test runs left behind that were killed before they could. */
export async function clearLeftovers(): Promise<void> {
  const folders = runRoots().flatMap((root) =>
    readdirSync(root)
      .filter((name) => name.startsWith(runFolderPrefix))
      .map((name) => join(root, name)),
  );
  for (const folder of folders) {
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
  await endLeftover(join(folder, 's3.pid'), { graceMs: 1_000 });
  rmSync(folder, { recursive: true, force: true, ...patience });
}

/** Its data lie elsewhere where the user it runs as cannot reach the folder. */
async function clearPostgres(root: string): Promise<void> {
  if (!existsSync(join(root, 'logs/postgres.log'))) return;
  const { folder } = postgresFiles(root);
  await endOrphan(folder);
  if (dirname(folder) !== root) rmSync(dirname(folder), { recursive: true, force: true, ...patience });
}
