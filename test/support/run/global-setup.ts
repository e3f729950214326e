import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TestProject } from 'vitest/node';
import { findTemporal } from '../../../tools/dev/provision/find-temporal.js';
import { obtainTemporal } from '../../../tools/dev/provision/obtain-temporal.js';
import { consoleProgress } from '../../../tools/dev/provision/progress.js';
import { TestBackends } from './backends.js';
import { endsWithStarter } from './run-environment.js';

declare module 'vitest' {
  interface ProvidedContext {
    backendsUrl: string;
  }
}

/** One PostgreSQL and one Temporal for the run, started when the first test asks over HTTP (`backend-client.ts`). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Where it has to be fetched first, that may take longer than a test is given.
  const onlyUnitTests = project.vitest.projects.every(({ name }) => name === 'unit');
  if (!onlyUnitTests && findTemporal() === undefined) await obtainTemporal(consoleProgress());
  const backends = new TestBackends();
  const server = await listen(backends);
  project.provide('backendsUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await backends.stop();
  };
  if (process.env[endsWithStarter] !== undefined)
    whenStarterIsGone(() => stop().finally(() => process.exit(1)));
  return stop;
}

/** Whoever holds the other end of our input has died, however it did. */
function whenStarterIsGone(end: () => Promise<void>): void {
  process.stdin.resume();
  process.stdin.once('end', () => void end());
  // Waiting for it keeps no run from ending.
  (process.stdin as Socket).unref();
}

async function listen(backends: TestBackends): Promise<Server> {
  const server = createServer(async (request, response) => {
    try {
      const found = await startBackend(backends, request.url);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(found));
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function startBackend(backends: TestBackends, path: string | undefined): Promise<unknown> {
  if (path === '/postgres') return backends.postgres();
  if (path === '/temporal') return backends.temporal();
  if (path === '/s3') return backends.s3();
  if (path === '/workflows') return backends.workflows();
  if (path === '/build') return backends.build();
  throw new Error(`there is no backend ${path}`);
}
