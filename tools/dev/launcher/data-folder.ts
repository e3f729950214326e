import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { waitUntil } from '../../../runtime/wait-until.js';
import { endLeftover, runningPid, writePidFile } from '../provision/pid-file.js';
import { endOrphan } from '../provision/postgres-folder.js';
import { postgresFiles } from '../provision/postgres-server.js';
import { ProvisioningError } from '../provision/provisioning-error.js';

/** The order in which processes are stopped: clients before the servers they call. */
export const stopOrder = ['demo', 'api', 'media', 'worker', 'simulators', 'temporal', 'postgres'];

/**
 * Claims the data folder for this launcher and ends the processes that a killed launcher left running.
 * @throws ProvisioningError when another launcher is using the folder
 */
export async function claimDataFolder(dataFolder: string): Promise<void> {
  mkdirSync(dataFolder, { recursive: true });
  chmodSync(dataFolder, 0o755);
  await refuseOtherLauncher(dataFolder);
  writePidFile(join(dataFolder, 'launcher.pid'), process.pid);
  for (const file of pidFilesIn(dataFolder)) await endLeftover(join(dataFolder, file));
  await endOrphan(postgresFiles(dataFolder).folder);
}

/** Those of processes, in the order in which they are stopped; those that this release does not know come first. */
function pidFilesIn(dataFolder: string): string[] {
  const rank = (file: string) => stopOrder.indexOf(file.replace('.pid', ''));
  const files = readdirSync(dataFolder).filter((file) => file.endsWith('.pid') && file !== 'launcher.pid');
  return files.sort((one, other) => rank(one) - rank(other));
}

/** Marks this launcher as stopping, so that the next start waits for it instead of failing. */
export function markStopping(dataFolder: string): void {
  writeFileSync(join(dataFolder, 'stopping'), String(process.pid));
}

async function refuseOtherLauncher(dataFolder: string): Promise<void> {
  const stoppingFile = join(dataFolder, 'stopping');
  const other = () => runningPid(join(dataFolder, 'launcher.pid'));
  const gone = () => other() === undefined;
  // Wait for a launcher that is about to stop, after a signal or because its npm was killed.
  if (!gone()) await waitUntil(() => gone() || existsSync(stoppingFile), { withinMs: 2_000 });
  if (existsSync(stoppingFile)) await waitUntil(gone, { withinMs: 60_000 });
  rmSync(stoppingFile, { force: true });
  if (gone()) return;
  throw new ProvisioningError(
    `The system is already running, started by process ${other()}. Use it, or stop that process first.`,
  );
}

export function releaseDataFolder(dataFolder: string): void {
  const launcherFile = join(dataFolder, 'launcher.pid');
  if (runningPid(launcherFile) !== process.pid) return;
  rmSync(launcherFile, { force: true });
  rmSync(join(dataFolder, 'stopping'), { force: true });
}

/** Removes all data but keeps this launcher's claim on the folder. */
export function emptyDataFolder(dataFolder: string): void {
  for (const name of readdirSync(dataFolder)) {
    if (name !== 'launcher.pid') rmSync(join(dataFolder, name), { recursive: true, force: true });
  }
  rmSync(postgresFiles(dataFolder).folder, { recursive: true, force: true });
}

export const shown = (path: string): string => relative(process.cwd(), path) || '.';
