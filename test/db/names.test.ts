import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Names of the functions that the files of a folder export, one for each export. */
function exportedFunctions(folder: string): string[] {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('migrations'))
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'));
  return sources.flatMap((source) =>
    [...source.matchAll(/^export (?:async )?function\*? (\w+)/gm)].map(([, name]) => name ?? ''),
  );
}

it('no function of the database has the name of a command or query of the domain', () => {
  const domain = new Set(exportedFunctions('domain'));
  const shared = [...exportedFunctions('db')].filter((name) => domain.has(name));
  expect(domain.size).toBeGreaterThan(500);
  expect(shared).toEqual([]);
});

it('no two functions of the database have one name', () => {
  const names = exportedFunctions('db');
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});
