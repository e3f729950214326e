import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Seeded } from '../seed.js';
import type { Addresses } from './environments.js';

/** `.data/dev.json`: the addresses and keys that a script needs to use the started system. */
export interface DevFile extends Addresses, Seeded {}

export const devFilePath = (dataFolder: string): string => join(dataFolder, 'dev.json');

/** Reads the file of an earlier start. The database has only hashes of the keys, so this is their only copy. */
export function readDevFile(dataFolder: string): DevFile | undefined {
  try {
    return JSON.parse(readFileSync(devFilePath(dataFolder), 'utf8')) as DevFile;
  } catch {
    return undefined;
  }
}

/** Writes to a temporary name, then renames, so that a reader never sees an incomplete file. */
export function writeDevFile(dataFolder: string, content: DevFile): void {
  const file = devFilePath(dataFolder);
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
