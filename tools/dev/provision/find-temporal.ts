import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

const programName = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

/** The cache of downloaded programs; all checkouts on this machine share it. */
export function cacheFolder(environment: Environment = process.env): string {
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'workspace-engagement-service', 'bin');
}

export function findOnPath(name: string, environment: Environment = process.env): string | undefined {
  return (environment.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** Finds the `temporal` program on PATH or in the cache. Undefined if it has to be downloaded. */
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
