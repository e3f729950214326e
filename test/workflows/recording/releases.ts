import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import proto, { type temporal } from '@temporalio/proto';

/** Recorded histories: a folder for each release, and one for the release under way. */
export const historiesFolder = fileURLToPath(new URL('../histories/', import.meta.url));
export const unreleased = 'unreleased';
/** A line for each file of a release, as `sha256sum` writes it. */
export const checksumsFile = join(historiesFolder, 'released.sha256');

export async function listRecordings(): Promise<string[]> {
  const paths = await readdir(historiesFolder, { recursive: true });
  return paths.filter((path) => path.endsWith('.json')).sort();
}

export function isReleased(path: string): boolean {
  return !path.startsWith(`${unreleased}/`);
}

export async function readRecording(path: string): Promise<temporal.api.history.v1.History> {
  const text = await readFile(join(historiesFolder, path), 'utf8');
  return proto.temporal.api.history.v1.History.fromObject(JSON.parse(text));
}

/** The checksums file as it has to be for the files that are there. */
export async function checksumsOf(paths: readonly string[]): Promise<string[]> {
  return await Promise.all(
    paths.map(async (path) => {
      const content = await readFile(join(historiesFolder, path));
      return `${createHash('sha256').update(content).digest('hex')}  ${path}`;
    }),
  );
}

export async function readChecksums(): Promise<string[]> {
  return (await readFile(checksumsFile, 'utf8')).split('\n').filter((line) => line !== '');
}
