import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { openApiDocument } from '../../../api/http/openapi.js';
import { routes } from '../../../api/resources/index.js';
import { generateClients, generatedFiles, openApiTypescript } from '../../../tools/clients/generate.js';
import { installPythonTools } from '../support/python-tools.js';
import { runProgram } from '../support/run-program.js';
import { pythonPath } from './run-python.js';

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

/** The code blocks of a page, in one program. */
function programIn(page: string, language: string): string {
  const blocks = readFileSync(page, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'));
  return [...blocks].map(([, code]) => code).join('\n');
}

it('the Python client and its examples are free of type errors', async () => {
  const page = join(temporaryFolder(), 'readme.py');
  writeFileSync(page, `${pythonNames}${programIn('clients/python/README.md', 'python')}`);
  const checked = [
    'clients/python/src',
    'clients/python/examples',
    'test/interop/clients/scenarios.py',
    page,
  ];
  const options = ['--config-file', 'clients/python/pyproject.toml', '--cache-dir', '.cache/mypy'];
  const env = { ...pythonPath, MYPYPATH: pythonPath.PYTHONPATH };
  const { code, output } = await runProgram(join(programs, 'mypy'), [...options, ...checked], { env });
  expect(code, output).toBe(0);
});

/** What the examples of the README take for granted. */
const pythonNames = `
import httpx
api_key: str
workspace_uuid: str
secret: str
chat_id: int
headers: httpx.Headers
body: bytes
`;

it('the TypeScript client is built as a package of modules, as its examples use it', async () => {
  // Below the project, where its dependency is found.
  mkdirSync('.cache', { recursive: true });
  const folder = mkdtempSync(resolve('.cache/typescript-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tsc = 'node_modules/.bin/tsc';
  const built = await runProgram(tsc, ['-p', 'clients/typescript', '--outDir', join(folder, 'dist')]);
  expect(built.code, built.output).toBe(0);

  cpSync('clients/typescript/package.json', join(folder, 'package.json'));
  writeFileSync(
    join(folder, 'readme.ts'),
    `${typescriptNames}${programIn('clients/typescript/README.md', 'ts')}`,
  );
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2022',
  ];
  const used = await runProgram(resolve(tsc), [...options, '--types', 'node', 'readme.ts'], { cwd: folder });
  expect(used.code, used.output).toBe(0);

  const program = `
    import { createClient } from 'workspace-engagement-client';
    console.log(typeof createClient({ baseUrl: 'http://127.0.0.1' }).createMember);
  `;
  const run = await runProgram(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
  expect(run.output.trim()).toBe('function');
});

/** What the examples of the README take for granted. */
const typescriptNames = `
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
declare const apiKey: string, workspaceUuid: string, secret: string;
declare const request: Request, chatId: number;
`;

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
  // It reads neither NDJSON, mail nor files unless told, as docs/clients.md says. Its formatter is not installed, and is no part of this test.
  const content_type_overrides = {
    'application/x-ndjson': 'application/octet-stream',
    'message/rfc822': 'application/octet-stream',
    '*/*': 'application/octet-stream',
  };
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
