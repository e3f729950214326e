import type { Client } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { NativeConnection, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { WorkerVersion } from '../../runtime/configuration.js';
import { createMetrics } from '../../runtime/metrics.js';
import { createTemporalClient } from '../../runtime/temporal/connect.js';
import { monitorVersion, readTaskShare } from '../../runtime/worker/deployment-version-monitor.js';
import { keysScheduleId, taskQueues } from '../../workflows/contracts/runs.js';
import { waitFor } from '../support/lib/wait-for.js';
import { workflowBundle } from '../support/run/backend-client.js';
import { installRuntime } from '../support/temporal/install-runtime.js';
import { createNamespace } from '../support/temporal/own-namespace.js';
import { temporalAddress } from '../support/temporal/temporal.js';
import { type WorkerDeployment, workerDeployment } from '../support/temporal/worker-versions.js';

const versioned = { useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' } as const;
let address: string;
let connection: NativeConnection;
let codePath: string;

beforeAll(async () => {
  installRuntime();
  address = await temporalAddress();
  connection = await NativeConnection.connect({ address });
  codePath = (await workflowBundle()).path;
});
afterAll(() => connection.close());

interface Stage {
  client: Client;
  deployment: WorkerDeployment;
  /** Lets a worker of this version poll. */
  poll(version: WorkerVersion): Promise<void>;
  /** `share` is the value of `wes_worker_task_share` that is served. */
  watch(version?: WorkerVersion): { told(): unknown[]; share(): Promise<string | undefined> };
}

/** Runs `work` in its own namespace, and stops what it started. */
async function onStage(work: (stage: Stage) => Promise<void>): Promise<void> {
  const namespace = await createNamespace(address);
  const client = createTemporalClient({ address, namespace, tls: false });
  const ended = new AbortController();
  const workers: Worker[] = [];
  const running: Promise<void>[] = [];
  try {
    await work({
      client,
      deployment: workerDeployment(client),
      async poll(version) {
        const worker = await Worker.create({
          connection,
          namespace,
          taskQueue: taskQueues.runs,
          workflowBundle: { codePath },
          workerDeploymentOptions: { version, ...versioned },
        });
        workers.push(worker);
        running.push(worker.run());
      },
      watch(version) {
        const lines: unknown[] = [];
        const logger = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) });
        const { registry, workers: metrics } = createMetrics();
        running.push(monitorVersion({ client, logger, version, metrics, everyMs: 50 }, ended.signal));
        return {
          told: () => lines,
          share: async () => /^wes_worker_task_share (.*)$/m.exec(await registry.metrics())?.[1],
        };
      },
    });
  } finally {
    ended.abort();
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
    await client.connection.close();
  }
}

/** The interval of the schedule that forgets old keys, in hours, or undefined without a schedule. */
async function hoursBetween(client: Client): Promise<number | undefined> {
  try {
    const { spec } = await client.schedule.getHandle(keysScheduleId).describe();
    return (spec.intervals?.[0]?.every ?? 0) / 3_600_000;
  } catch {
    return undefined;
  }
}

/** Resolves when the watch has handled its last look and looks again. */
async function checksAgain({ workflowService }: Client): Promise<void> {
  const looks = vi.spyOn(workflowService, 'describeTaskQueue');
  const before = looks.mock.calls.length;
  await waitFor('it looks again', () => looks.mock.calls.length > before + 1);
}

/** Changes the schedule that forgets old keys, as another version could. */
async function changeSchedule(client: Client): Promise<void> {
  await client.schedule.getHandle(keysScheduleId).update(({ spec: _before, ...schedule }) => ({
    ...schedule,
    spec: { intervals: [{ every: '5h' }] },
  }));
}

const none = 'Temporal sends no tasks to this version of the worker';
const some = 'Temporal sends tasks to this version of the worker';

describe('watchVersion of a versioned worker', () => {
  it('reports its share of the tasks and each change once, and creates no schedules during a ramp', () =>
    onStage(async ({ client, deployment, poll, watch }) => {
      const version = deployment.version('1');
      await poll(version);
      const watched = watch(version);
      await waitFor('it is told of', () => watched.told().length === 1);
      expect(await watched.share()).toBe('0');

      await deployment.ramp(version, 30);
      await waitFor('the ramp is told of', () => watched.told().length === 2);
      expect(await watched.share()).toBe('0.3');
      await checksAgain(client);
      expect(await hoursBetween(client)).toBeUndefined();
      expect(await readTaskShare(client, undefined)).toMatchObject({ share: 0.7 });

      await deployment.makeCurrent(version);
      await waitFor('the switch is told of', () => watched.told().length === 3);
      expect(await watched.share()).toBe('1');
      expect(await readTaskShare(client, undefined)).toEqual({ share: 0 });
      expect(watched.told()).toMatchObject([
        { level: 40, version: 'service:1', msg: none },
        { level: 30, version: 'service:1', share: 0.3, msg: some },
        { level: 30, version: 'service:1', share: 1, msg: some },
      ]);
    }));

  it('creates the schedules each time its version becomes current, and not before', () =>
    onStage(async ({ client, deployment, poll, watch }) => {
      const [one, two] = [deployment.version('1'), deployment.version('2')];
      await Promise.all([poll(one), poll(two)]);
      const watched = watch(one);
      await checksAgain(client);
      expect(await hoursBetween(client)).toBeUndefined();

      await deployment.makeCurrent(one);
      await waitFor('the schedule is there', async () => (await hoursBetween(client)) === 1);

      await deployment.makeCurrent(two);
      await waitFor('the switch is told of', () => watched.told().length === 3);
      await changeSchedule(client);
      await deployment.makeCurrent(one);
      await waitFor('the schedule is as before', async () => (await hoursBetween(client)) === 1);
    }));
});

describe('watchVersion of a version that is current again before its next look', () => {
  it('creates the schedules again', () =>
    onStage(async ({ client, deployment, watch }) => {
      const describe = vi.spyOn(client.workflowService, 'describeTaskQueue');
      const switchAt = (ms: number) => {
        const currentDeploymentVersion = deployment.version('1');
        const versioningInfo = { currentDeploymentVersion, updateTime: msToTs(ms) };
        describe.mockResolvedValue({ versioningInfo } as never);
      };
      switchAt(1);
      watch(deployment.version('1'));
      await waitFor('the schedule is there', async () => (await hoursBetween(client)) === 1);
      await changeSchedule(client);
      switchAt(2);
      await waitFor('the schedule is as before', async () => (await hoursBetween(client)) === 1);
    }));
});

describe('watchVersion of an unversioned worker', () => {
  it('creates the schedules at once, and reports when a version gets the tasks instead', () =>
    onStage(async ({ client, deployment, poll, watch }) => {
      const watched = watch();
      await waitFor('the schedule is there', async () => (await hoursBetween(client)) === 1);
      await poll(deployment.version('1'));
      await deployment.makeCurrent(deployment.version('1'));
      await waitFor('the switch is told of', () => watched.told().length === 2);
      expect(watched.told()).toMatchObject([
        { level: 30, version: 'unversioned', share: 1, msg: some },
        { level: 40, version: 'unversioned', msg: none },
      ]);
      expect(await watched.share()).toBe('0');
    }));
});

describe('watchVersion while Temporal does not report the routing of tasks', () => {
  const refusal = new Error('refused');

  it('reports it once for a versioned worker, and creates no schedules', () =>
    onStage(async ({ client, deployment, watch }) => {
      vi.spyOn(client.workflowService, 'describeTaskQueue').mockRejectedValue(refusal);
      const watched = watch(deployment.version('1'));
      await checksAgain(client);
      expect(watched.told()).toMatchObject([{ level: 40, version: 'service:1', code: 'Error' }]);
      expect(await watched.share()).toBe('Nan');
      expect(await hoursBetween(client)).toBeUndefined();
    }));

  it('creates the schedules for an unversioned worker', () =>
    onStage(async ({ client, watch }) => {
      vi.spyOn(client.workflowService, 'describeTaskQueue').mockRejectedValue(refusal);
      watch();
      await waitFor('the schedule is there', async () => (await hoursBetween(client)) === 1);
    }));
});
