import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const servers = /^(test\/support\/run\/backend-client\.ts|tools\/dev\/provision\/)/;
const relativeImport = /(?:from|import\()\s*'(\.[^']+)\.js'/g;

/** Returns the test files that need neither PostgreSQL nor Temporal: those that import no module that starts them. */
export function unitTests(): string[] {
  const known = new Map<string, boolean>();
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => normalize(`test/${file}`))
    .filter((file) => !needsServers(file, known));
}

function needsServers(file: string, known: Map<string, boolean>): boolean {
  if (servers.test(file)) return true;
  let needs = known.get(file);
  if (needs === undefined) {
    // Ends at circular imports.
    known.set(file, false);
    needs = importsOf(file).some((imported) => needsServers(imported, known));
    known.set(file, needs);
  }
  return needs;
}

function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(relativeImport)]
    .map(([, path]) => normalize(join(dirname(file), `${path}.ts`)))
    .filter((path) => /^(test|tools)\//.test(path));
}
