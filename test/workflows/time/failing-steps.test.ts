import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stepFailed } from '../../../workflows/contracts/failures.js';
import { type RunInputs, taskQueues } from '../../../workflows/contracts/runs.js';
import type { DeliveryStep } from '../../../workflows/contracts/steps.js';
import { workflowBundle } from '../../support/run/backend-client.js';
import { installRuntime } from '../../support/temporal/install-runtime.js';
import { startTimeSkipping } from '../../support/temporal/time-skipping.js';
import { historyChain } from './history-chain.js';

/*
 * The time-skipping server does not pass the retry policy to activities, so none fails with `step_failed` there. This
 * test therefore has its own activities; `test/workflows/stand-still.test.ts` tests the real failure.
 */

let environment: TestWorkflowEnvironment;

beforeAll(async () => {
  installRuntime();
  environment = await startTimeSkipping();
});
afterAll(() => environment.teardown());

const input: RunInputs['deliverMessages'] = {
  workspaceId: 1,
  workspaceUuid: 'a-workspace',
  chatId: 5,
  memberId: 12,
  channel: 'phone-sms',
};

/** Does `work` while workers carry out these activities. */
async function withActivities<T>(activities: object, work: () => Promise<T>): Promise<T> {
  const { path } = await workflowBundle();
  const common = { connection: environment.nativeConnection, activities };
  const workers = await Promise.all([
    Worker.create({ ...common, workflowBundle: { codePath: path }, taskQueue: taskQueues.runs }),
    Worker.create({ ...common, taskQueue: taskQueues.deliveries }),
    Worker.create({ ...common, taskQueue: taskQueues.jobs }),
  ]);
  const running = workers.map((worker) => worker.run());
  try {
    return await work();
  } finally {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
  }
}

type Outcome = DeliveryStep | 'fails';

/** Runs `deliverMessages` to its end with these outcomes of its step. @returns its timers, in minutes, and its calls */
async function deliver(
  workflowId: string,
  outcomes: Outcome[],
): Promise<{ pauses: number[]; calls: object[] }> {
  const calls: object[] = [];
  const activities = {
    deliverNext: async () => {
      const outcome = outcomes.shift() ?? 'fails';
      if (outcome === 'fails') throw ApplicationFailure.nonRetryable('P0001', stepFailed);
      return outcome;
    },
    noteStandstill: async (call: object) => void calls.push(call),
  };
  const { client } = environment;
  const options = { workflowId, taskQueue: taskQueues.runs, args: [input] };
  await withActivities(activities, () => client.workflow.execute('deliverMessages', options));
  const [history] = await historyChain(client, workflowId);
  const timers = history?.events.flatMap(({ timerStartedEventAttributes: timer }) => timer ?? []) ?? [];
  return { pauses: timers.map((timer) => Number(timer.startToFireTimeout?.seconds) / 60), calls };
}

it('retries stuck messages by itself after increasing pauses', async () => {
  const stuck: Outcome[] = Array.from({ length: 6 }, () => 'fails');

  const { pauses, calls } = await deliver('stuck', [...stuck, { kind: 'again' }, { kind: 'idle' }]);

  // All pauses are within the four hours in which a message is worth sending.
  expect(pauses).toEqual([5, 10, 20, 40, 60, 60]);
  expect(calls).toEqual(stuck.map(() => ({ workspaceId: 1, chatId: 5, step: 'deliverNext' })));
});

it('resets the pauses between retries after a successful delivery', async () => {
  const outcomes: Outcome[] = ['fails', 'fails', { kind: 'again' }, 'fails', { kind: 'idle' }];

  const { pauses } = await deliver('stuck-twice', outcomes);

  expect(pauses).toEqual([5, 10, 5]);
});

/** Runs a pass whose activity fails this number of times. @returns the number of attempts */
async function passAfter(failures: number, net: string): Promise<number> {
  let tries = 0;
  const pass = async () => {
    tries += 1;
    if (tries <= failures) throw ApplicationFailure.retryable('the database is away', '57P03');
    return {};
  };
  const options = { workflowId: `${net}-${failures}`, taskQueue: taskQueues.runs };
  await withActivities({ [net]: pass }, () => environment.client.workflow.execute(net, options));
  return tries;
}

const nets = ['reconcileRuns', 'askForReceipts', 'receiveMissedMessages'];

it.each(nets)('retries a pass of %s while the database is unavailable for minutes', async (net) => {
  expect(await passAfter(10, net)).toBe(11);
});

it.each(nets)('fails a pass of %s that never succeeds, so that operators notice it', async (net) => {
  await expect(passAfter(1_000, net)).rejects.toThrow('Workflow execution failed');
});
