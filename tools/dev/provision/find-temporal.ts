import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

const programName = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

/** Where programs that provisioning had to fetch are kept; clones share it. */
export function cacheFolder(environment: Environment = process.env): string {
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'workspace-engagement-service', 'bin');
}

/** Finds a program on PATH. */
export function findOnPath(name: string, environment: Environment = process.env): string | undefined {
  return (environment.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** The `temporal` program on this machine: on PATH, or in the cache. Undefined where it has to be fetched. */
export function findTemporal(environment: Environment = process.env): string | undefined {
  const cached = join(cacheFolder(environment), programName);
  return findOnPath(programName, environment) ?? (isExecutable(cached) ? cached : undefined);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
