import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from './markdown.js';

const ours = ['activities', 'api', 'db', 'domain', 'media', 'providers', 'runtime', 'workflows'];
const rooms = [...ours, 'tools/dev', 'tools/simulators'];

/** The ways in which our code reads a variable of the environment. */
const readings = [
  /\b(?:text|required|port|url|socketUrl|count|whole|days|networks|servers|delays|phones|oneOf|callPrices)\(\s*'([A-Z][A-Z0-9_]*)'/g,
  /\bvariable: '([A-Z][A-Z0-9_]*)'/g,
  /\b(?:env|environment)\.([A-Z][A-Z0-9_]*)/g,
];

/** Variables of the environment that the code reads. `PATH` is the machine's own. */
export async function variablesRead(): Promise<string[]> {
  const found = new Set<string>();
  for (const room of rooms) {
    for (const file of await readdir(join(projectFolder, room), { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const code = await readFile(join(projectFolder, room, file), 'utf8');
      for (const [, name] of readings.flatMap((reading) => [...code.matchAll(reading)])) {
        if (name !== undefined) found.add(name);
      }
      for (const [, names = ''] of code.matchAll(/\{([^{}]*)\} = process\.env/g)) {
        for (const name of names.split(',')) found.add(name.split(':')[0]?.trim() ?? '');
      }
    }
  }
  found.delete('PATH');
  return [...found].sort();
}
