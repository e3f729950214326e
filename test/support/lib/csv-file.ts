import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.js';

/** The path of a file with this in it, until the test is over. */
export function csvFile(content: string | Uint8Array): string {
  const path = join(temporaryFolder(), 'rows.csv');
  writeFileSync(path, content);
  return path;
}

/** Everything that an iterable gives. */
export async function allOf<T>(things: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const thing of things) all.push(thing);
  return all;
}
