import { existsSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endLeftover, runningPid } from '../../dev/provision/pid-file.js';
import { endOrphan } from '../../dev/provision/postgres-folder.js';

export const runFolderPrefix = 'wes-test-';

/** Ends and removes what test runs left behind that were killed before they could. */
export async function clearLeftovers(root = tmpdir()): Promise<void> {
  for (const name of readdirSync(root).filter((entry) => entry.startsWith(runFolderPrefix))) {
    const folder = join(root, name);
    const runFile = join(folder, 'run.pid');
    if (!existsSync(runFile) || runningPid(runFile) !== undefined) continue;
    // Another run that starts now may be at it as well: whoever comes second finds it gone.
    await clearFolder(folder).catch(() => undefined);
  }
}

/** Ends the servers that work in a folder, and in the folders of single tests below it, and removes it. */
export async function clearFolder(folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith('own-'))) {
    await clearFolder(join(folder, name));
  }
  await endOrphan(join(folder, 'postgres'));
  await endLeftover(join(folder, 'temporal.pid'), { graceMs: 1_000 });
  // The sessions of a killed PostgreSQL may still be writing for a moment.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
