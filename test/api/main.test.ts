import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/db/use-database.js';
import { waitFor } from '../support/lib/wait-for.js';
import { type ApiAlone, startApiAlone, urlOf } from '../support/run/api-alone.js';
import { build } from '../support/run/backend-client.js';
import { createWorkspace } from '../support/workspace/factories.js';

const started: ChildProcess[] = [];

const testDatabase = useDatabase();
// The first build takes longer than a test may.
beforeAll(() => build());
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

async function startProcess(environment: Record<string, string> = {}): Promise<ApiAlone> {
  const api = await startApiAlone(testDatabase.appUrl, environment);
  started.push(api.child);
  return api;
}

/** Starts an api. @returns its port as well */
async function running(): Promise<ApiAlone & { port: number }> {
  const api = await startProcess();
  return { ...api, port: Number(new URL(await urlOf(api)).port) };
}

async function ended({ child }: ApiAlone): Promise<number | null> {
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
    const api = await startProcess({ DATABASE_URL: '' });
    expect(await ended(api)).toBe(1);
    expect(api.errors).toEqual(['DATABASE_URL is not set.']);
  });

  it('exits with code 1 and one message when its port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const api = await startProcess({ PORT: String(port) });
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
    await waitFor('it is asked for the body', () => answer.includes('100 Continue'));
    api.child.kill('SIGTERM');
    await waitFor('it stops', () => api.log.find(({ msg }) => msg === 'api stopping'));
    socket.write(body);
    await once(socket, 'close');
    expect(answer).toContain('HTTP/1.1 200 OK');
    expect(await ended(api)).toBe(0);
  });
});
