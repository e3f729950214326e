import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { openApiDocument } from '../../api/http/openapi.js';
import { routes } from '../../api/resources/index.js';
import { generateClients, generatedFiles, openApiTypescript } from '../../tools/clients/generate.js';
import { pythonPath } from './clients/run-python.js';
import { installPythonTools } from './support/python-tools.js';
import { runProgram } from './support/run-program.js';

let programs: string;
beforeAll(async () => {
  programs = resolve(await installPythonTools());
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wes-clients-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A folder with the OpenAPI document. */
function folderWithDocument(): { folder: string; file: string } {
  const folder = temporaryFolder();
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(openApiDocument(routes)));
  return { folder, file };
}

it('the generated files of the clients are those of the OpenAPI document (`npm run clients`)', async () => {
  const folder = temporaryFolder();
  await generateClients(folder);
  const stale = Object.values(generatedFiles).filter(
    (file) => readFileSync(join(folder, file), 'utf8') !== readFileSync(join('clients', file), 'utf8'),
  );
  expect(stale).toEqual([]);
});

it('the Python client and its examples are free of type errors', async () => {
  const checked = ['clients/python/src', 'clients/python/examples', 'test/interop/clients/scenarios.py'];
  const options = ['--config-file', 'clients/python/pyproject.toml', '--cache-dir', '.cache/mypy'];
  const env = { ...pythonPath, MYPYPATH: pythonPath.PYTHONPATH };
  const { code, output } = await runProgram(join(programs, 'mypy'), [...options, ...checked], { env });
  expect(code, output).toBe(0);
});

it('the TypeScript client is built as a package of modules with types', async () => {
  const outDir = temporaryFolder();
  const args = ['-p', 'clients/typescript', '--outDir', outDir];
  const { code, output } = await runProgram('node_modules/.bin/tsc', args);
  expect(code, output).toBe(0);
  expect(readFileSync(join(outDir, 'index.d.ts'), 'utf8')).toContain('createClient');
});

it('openapi-typescript generates from the document without warnings', async () => {
  const { folder, file } = folderWithDocument();
  const { code, output } = await runProgram(
    'npm',
    [...openApiTypescript, file, '--output', join(folder, 'schema.ts')],
    { cwd: folder, env: { npm_config_loglevel: 'error' } },
  );
  expect(code, output).toBe(0);
  expect(output).not.toMatch(/⚠|✘|warn/i);
});

it('openapi-python-client generates from the document without warnings', async () => {
  const { folder, file } = folderWithDocument();
  const args = ['generate', '--path', file, '--meta', 'none', '--output-path', join(folder, 'client')];
  // It reads no NDJSON unless told, as docs/clients.md says. Its formatter is not installed, and is no part of this test.
  const content_type_overrides = { 'application/x-ndjson': 'application/octet-stream' };
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ content_type_overrides, post_hooks: [] }));
  const { code, output } = await runProgram(join(programs, 'openapi-python-client'), [
    ...args,
    '--config',
    config,
    '--fail-on-warning',
  ]);
  expect(code, output).toBe(0);
});
