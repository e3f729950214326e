import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A build step: bundles the console for browsers, unless nothing that it is made of has changed. */
const project = fileURLToPath(new URL('../../../', import.meta.url));
const stampPath = `${project}dist/console.stamp`;

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', 'api/html/account/assets/tokens.css']) {
    hash.update(await readFile(project + file));
  }
  const entries = await readdir(`${project}console`, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`);
  // The types of the API leave no trace in the bundle.
  for (const file of files.filter((name) => !name.endsWith('/schema.ts')).sort()) {
    hash.update(file.slice(project.length)).update(await readFile(file));
  }
  return hash.digest('hex');
}

const current = await fingerprint();
const before = await readFile(stampPath, 'utf8').catch(() => '');
if (before !== current) {
  // Loaded only where it is needed: every npm script begins with this step.
  const { build } = await import('vite');
  await build({ configFile: `${project}console/vite.config.ts`, logLevel: 'warn' });
  await writeFile(stampPath, current);
}
