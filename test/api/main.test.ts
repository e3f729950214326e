import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { testLoginSecretText } from '../support/api/login.js';
import { useDatabase } from '../support/db/use-database.js';
import { testEncryptionKey } from '../support/lib/encryption.js';
import { build } from '../support/run/backend-client.js';
import { endsWithTestProcess } from '../support/run/ends-with-test-process.js';
import { createWorkspace } from '../support/workspace/factories.js';

let program: string;
const started: ChildProcess[] = [];

const testDatabase = useDatabase();
beforeAll(async () => {
  program = join((await build()).dist, 'api/main.js');
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

interface ApiProcess {
  child: ChildProcess;
  log: Record<string, unknown>[];
  errors: string[];
}

/** An api in its own process on a free port, without Temporal. */
function startProcess(environment: Record<string, string> = {}): ApiProcess {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: testDatabase.appUrl,
    LOGIN_SECRET: testLoginSecretText,
    ENCRYPTION_KEY: testEncryptionKey,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    HOST: '127.0.0.1',
    PORT: '0',
    ...environment,
  };
  const child = endsWithTestProcess(spawn(process.execPath, [program], { env }));
  started.push(child);
  const log: ApiProcess['log'] = [];
  const errors: string[] = [];
  createInterface(child.stdout).on('line', (line) => log.push(JSON.parse(line)));
  createInterface(child.stderr).on('line', (line) => errors.push(line));
  return { child, log, errors };
}

/** Waits for a log line with this message and returns it. */
function logged({ log }: ApiProcess, message: string): Promise<Record<string, unknown>> {
  return vi.waitUntil(() => log.find((line) => line.msg === message), { timeout: 20_000 });
}

/** Starts an api. @returns its port as well */
async function running(): Promise<ApiProcess & { port: number }> {
  const api = startProcess();
  const { port } = await logged(api, 'api started');
  return { ...api, port: Number(port) };
}

async function ended({ child }: ApiProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  return child.exitCode;
}

describe('the api process', () => {
  it('starts without Temporal and stops on SIGTERM, whatever connections clients keep open', async () => {
    const api = await running();
    await once(connect(api.port, '127.0.0.1'), 'connect');
    const kept = await fetch(`http://127.0.0.1:${api.port}/api/v2/health/ready`);
    expect(await kept.json()).toEqual({ status: 'ready', database: 'reachable', temporal: 'unreachable' });
    api.child.kill('SIGTERM');
    expect(await ended(api)).toBe(0);
  });

  it('exits with code 1 and one message when a setting is missing', async () => {
    const api = startProcess({ DATABASE_URL: '' });
    expect(await ended(api)).toBe(1);
    expect(api.errors).toEqual(['DATABASE_URL is not set.']);
  });

  it('exits with code 1 and one message when its port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const api = startProcess({ PORT: String(port) });
    expect(await ended(api)).toBe(1);
    expect(api.errors).toEqual([`Port ${port} on 127.0.0.1 is in use.`]);
    taken.close();
  });

  it('completes requests in progress before it stops', async () => {
    const workspace = await createWorkspace(testDatabase.database);
    const api = await running();
    const body = JSON.stringify({ name: 'Someone' });
    const socket = connect(api.port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const head = [
      'POST /api/v2/account HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${workspace.member.apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await vi.waitUntil(() => answer.includes('100 Continue'));
    api.child.kill('SIGTERM');
    await logged(api, 'api stopping');
    socket.write(body);
    await once(socket, 'close');
    expect(answer).toContain('HTTP/1.1 200 OK');
    expect(await ended(api)).toBe(0);
  });
});
