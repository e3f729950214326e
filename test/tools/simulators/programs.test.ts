import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startModelSimulator } from '../../../tools/simulators/model/start-model-simulator.js';
import { build } from '../../support/run/backend-client.js';
import { endsWithTestProcess } from '../../support/run/ends-with-test-process.js';
import { ask } from './simulator-client.js';

const started: ChildProcess[] = [];
let programs: string;

beforeAll(async () => {
  programs = join((await build()).dist, 'tools/simulators');
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const simulators = [
  'carrier',
  'model',
  'mail',
  'webhook-sink',
  'identity-provider',
  'mcp-server',
  'dns',
] as const;

function start(program: (typeof simulators)[number], port: string) {
  const child = endsWithTestProcess(
    spawn(process.execPath, [join(programs, program, 'main.js')], {
      env: { ...process.env, PORT: port, SMTP_PORT: '0', HOST: '127.0.0.1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  started.push(child);
  return child;
}

async function firstLine(input: Readable): Promise<string> {
  const [line] = await once(createInterface({ input }), 'line');
  return String(line);
}

test.each(simulators)(
  'starts the %s simulator with a banner, serves, lists its paths, and ends on SIGTERM',
  async (program) => {
    const child = start(program, '0');
    const banner = await firstLine(child.stdout);

    expect(banner).toMatch(/^Simulated .+ at http:\/\/127\.0\.0\.1:\d+\./);
    const url = banner.match(/http:\/\/[\d.]+:\d+/)?.[0] ?? '';
    expect((await ask(url, 'GET', '/health')).body).toEqual({ status: 'ok', simulated: program });
    const overview = await ask(url, 'GET', '/');
    expect(overview.body).toMatchObject({ paths: expect.arrayContaining(['GET /health']) });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  },
);

test.each([
  [
    'in use',
    'model',
    undefined,
    (port: string) => `The simulated chat model cannot start: port ${port} is in use.`,
  ],
  ['invalid', 'carrier', 'eighty', () => 'PORT has to be a port number.'],
] as const)('exits with one message when the port is %s', async (_, program, given, sentence) => {
  const other = await startModelSimulator({ port: 0 });
  const port = given ?? new URL(other.url).port;
  const child = start(program, port);
  const exit = once(child, 'exit');

  expect(await firstLine(child.stderr)).toBe(sentence(port));
  expect(await exit).toEqual([1, null]);
  await other.close();
});
