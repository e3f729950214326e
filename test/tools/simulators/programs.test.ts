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
let program: string;

beforeAll(async () => {
  program = join((await build()).dist, 'tools/simulators/main.js');
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const ports = {
  carrier: 'CARRIER_SIMULATOR_PORT',
  model: 'MODEL_SIMULATOR_PORT',
  mail: 'MAIL_SIMULATOR_PORT',
  'webhook-sink': 'WEBHOOK_SINK_PORT',
  'identity-provider': 'IDENTITY_PROVIDER_PORT',
  'mcp-server': 'MCP_SERVER_SIMULATOR_PORT',
  dns: 'DNS_SIMULATOR_PORT',
} as const;
type Name = keyof typeof ports;

/** At any free port, unless `given` names others. */
function start(names: readonly Name[], given: Partial<Record<Name, string>> = {}) {
  const at = Object.fromEntries(names.map((name) => [ports[name], given[name] ?? '0']));
  const child = endsWithTestProcess(
    spawn(process.execPath, [program, ...names], {
      env: { ...process.env, ...at, MAIL_SIMULATOR_SMTP_PORT: '0', HOST: '127.0.0.1' },
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

test.each(Object.keys(ports) as Name[])(
  'starts the %s simulator with a banner, serves, lists its paths, and ends on SIGTERM',
  async (name) => {
    const child = start([name]);
    const banner = await firstLine(child.stdout);

    expect(banner).toMatch(/^Simulated .+ at http:\/\/127\.0\.0\.1:\d+\./);
    const url = banner.match(/http:\/\/[\d.]+:\d+/)?.[0] ?? '';
    expect((await ask(url, 'GET', '/health')).body).toEqual({ status: 'ok', simulated: name });
    const overview = await ask(url, 'GET', '/');
    expect(overview.body).toMatchObject({ paths: expect.arrayContaining(['GET /health']) });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  },
);

test('runs several in one process, until it is stopped', async () => {
  const names = ['carrier', 'model', 'mail'] as const;
  const child = start(names);
  const output = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const _ of names) {
    const url = String((await output.next()).value).match(/http:\/\/[\d.]+:\d+/)?.[0] ?? '';
    expect((await ask(url, 'GET', '/health')).body).toMatchObject({ status: 'ok' });
  }
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.each([
  [
    'in use',
    'model',
    undefined,
    (port: string) => `The simulated chat model cannot start: port ${port} is in use.`,
  ],
  ['invalid', 'carrier', 'eighty', () => 'CARRIER_SIMULATOR_PORT has to be a port number.'],
] as const)('exits with one message when the port is %s', async (_, name, given, sentence) => {
  const other = await startModelSimulator({ port: 0 });
  const port = given ?? new URL(other.url).port;
  const child = start([name], { [name]: port });
  const exit = once(child, 'exit');

  expect(await firstLine(child.stderr)).toBe(sentence(port));
  expect(await exit).toEqual([1, null]);
  await other.close();
});
