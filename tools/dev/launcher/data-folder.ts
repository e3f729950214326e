import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { waitUntil } from '../../../runtime/wait-until.js';
import { endLeftover, runningPid, writePidFile } from '../provision/pid-file.js';
import { endOrphan } from '../provision/postgres-folder.js';
import { postgresFiles } from '../provision/postgres-server.js';
import { ProvisioningError } from '../provision/provisioning-error.js';

/** The order in which processes are stopped: who asks before who answers. */
export const stopOrder = [
  'demo',
  'api',
  'worker',
  'carrier',
  'model',
  'mail',
  'webhook-sink',
  'temporal',
  'postgres',
] as const;

/**
 * Claims the data folder for this launcher: refuses when another one works on it, ends what a killed one left
 * running.
 * @throws ProvisioningError
 */
export async function claimDataFolder(dataFolder: string): Promise<void> {
  mkdirSync(dataFolder, { recursive: true });
  chmodSync(dataFolder, 0o755);
  const launcherFile = join(dataFolder, 'launcher.pid');
  await refuseOtherLauncher(dataFolder);
  writePidFile(launcherFile, process.pid);
  await endLeftovers(dataFolder);
}

/** Whoever starts next waits for us instead of refusing. */
export function markStopping(dataFolder: string): void {
  writeFileSync(join(dataFolder, 'stopping'), String(process.pid));
}

async function refuseOtherLauncher(dataFolder: string): Promise<void> {
  const stoppingFile = join(dataFolder, 'stopping');
  const other = () => runningPid(join(dataFolder, 'launcher.pid'));
  const gone = () => other() === undefined;
  // One that is about to end (its npm was killed, or it was told to) is waited for.
  if (!gone()) await waitUntil(() => gone() || existsSync(stoppingFile), { withinMs: 2_000 });
  if (existsSync(stoppingFile)) await waitUntil(gone, { withinMs: 60_000 });
  rmSync(stoppingFile, { force: true });
  if (gone()) return;
  throw new ProvisioningError(
    `The system is running already, started by process ${other()}: use it, or end that process first.`,
  );
}

/** Gives the folder back. */
export function releaseDataFolder(dataFolder: string): void {
  const launcherFile = join(dataFolder, 'launcher.pid');
  if (runningPid(launcherFile) !== process.pid) return;
  rmSync(launcherFile, { force: true });
  rmSync(join(dataFolder, 'stopping'), { force: true });
}

async function endLeftovers(dataFolder: string): Promise<void> {
  for (const name of stopOrder) await endLeftover(join(dataFolder, `${name}.pid`));
  await endOrphan(postgresFiles(dataFolder).folder);
}

/** Removes all data; the folder stays ours. */
export function emptyDataFolder(dataFolder: string): void {
  for (const name of readdirSync(dataFolder)) {
    if (name !== 'launcher.pid') rmSync(join(dataFolder, name), { recursive: true, force: true });
  }
  rmSync(postgresFiles(dataFolder).folder, { recursive: true, force: true });
}

/** A path as people here would type it. */
export const shown = (path: string): string => relative(process.cwd(), path) || '.';
