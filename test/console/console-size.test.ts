import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Manifest } from 'vite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const shellWithInboxKb = 160;
const pageKb = 45;
/** Pages that hold an editor, which is loaded with them alone. */
const editorsKb: Readonly<Record<string, number>> = { 'sites/editor/page-page.tsx': 190 };
const folder = mkdtempSync(join(tmpdir(), 'wes-console-size-'));
let manifest: Manifest;

beforeAll(async () => {
  // Otherwise React is built as for development.
  vi.stubEnv('NODE_ENV', 'production');
  await build({
    configFile: 'console/vite.config.ts',
    logLevel: 'error',
    build: { outDir: folder, manifest: true },
  });
  manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
}, 120_000);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** The files that a browser fetches to show an entry: it, its styles, and what it imports. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (chunk === undefined || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const style of chunk.css ?? []) seen.add(style);
  for (const imported of chunk.imports ?? []) filesOf(imported, seen);
  return seen;
}

const kilobytes = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0) / 1_024;

it('is small: navigation and inbox together, and what each other page adds', () => {
  const shell = filesOf('index.html');
  const inbox = filesOf('inbox/inbox-page.tsx');
  const added = Object.keys(manifest)
    .filter((name) => manifest[name]?.isDynamicEntry === true && name !== 'inbox/inbox-page.tsx')
    .map((name) => ({
      name,
      kb: Math.round(kilobytes([...filesOf(name)].filter((file) => !shell.has(file)))),
    }));
  expect(added.length).toBeGreaterThan(0);
  expect(added.filter(({ name, kb }) => kb > (editorsKb[name] ?? pageKb))).toEqual([]);
  expect(kilobytes(new Set([...shell, ...inbox]))).toBeLessThan(shellWithInboxKb);
});
