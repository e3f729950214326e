import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.js';

export function csvFile(content: string | Uint8Array): string {
  const path = join(temporaryFolder(), 'rows.csv');
  writeFileSync(path, content);
  return path;
}

export async function allOf<T>(things: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const thing of things) all.push(thing);
  return all;
}
