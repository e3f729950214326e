import type { Worker as Thread } from 'node:worker_threads';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { missingSearchAttributes, prepareNamespace } from '../../runtime/temporal/namespace.js';
import { searchAttributeNames } from '../../runtime/temporal/run-options.js';
import { WorkerProcess, type WorkerProcessOptions } from '../../runtime/worker/worker-process.js';
import { createWorkers } from '../../runtime/worker/workers.js';
import { waitFor } from '../support/lib/wait-for.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { registerNamespace } from '../support/temporal/own-namespace.js';
import { temporalAddress } from '../support/temporal/temporal.js';

let system: TestSystem;
let options: WorkerProcessOptions;
let temporal: { address: string; namespace: string; tls: false };

beforeAll(async () => {
  const address = await temporalAddress();
  temporal = { address, namespace: await registerNamespace(address), tls: false };
  // Keeps what a worker is started with, and starts none.
  const startWorker = async (given: WorkerProcessOptions) => {
    options = given;
    return { stop: async () => undefined };
  };
  system = await startSystem({ engine: { temporal, startWorker }, relay: false });
});
afterAll(() => system.stop());

it('a worker takes no runs, and says what is missing, until the namespace has all search attributes', async () => {
  const said: { missing?: string[] }[] = [];
  const logger = Object.assign(Object.create(options.logger), {
    error: (told: object) => said.push(told),
    warn: () => undefined,
  });
  const worker = new WorkerProcess({ ...options, logger });
  const running = worker.run();
  onTestFinished(async () => {
    worker.stop();
    await running;
  });

  await waitFor('it has looked twice', () => said.length > 1);
  expect(said[0]?.missing?.sort()).toEqual([...searchAttributeNames].sort());
  expect(worker.isReady()).toBe(false);

  await prepareNamespace(temporal);
  await waitFor('it is ready', () => worker.isReady());
  expect(await missingSearchAttributes(temporal)).toEqual([]);
}, 60_000);

it('a server that does not tell its search attributes is trusted', async () => {
  const namespace = 'one-that-is-not-there';
  expect(await missingSearchAttributes({ ...temporal, namespace })).toEqual([]);
});

it('workers that cannot be created leave no thread behind', async () => {
  const threads: Thread[] = [];
  const begun = (thread: Thread) => threads.push(thread);
  process.on('worker', begun);
  const connection = await NativeConnection.connect({ address: temporal.address });
  onTestFinished(async () => {
    process.off('worker', begun);
    await connection.close();
  });

  const created = createWorkers({ ...options, connection, namespace: 'one-that-is-not-there' });

  await expect(created).rejects.toThrow();
  expect(threads.map(({ threadId }) => threadId)).toEqual([-1]);
}, 60_000);
