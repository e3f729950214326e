import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stepFailed } from '../../../workflows/contracts/failures.js';
import { type DeliveriesRunInput, taskQueues } from '../../../workflows/contracts/runs.js';
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

const input: DeliveriesRunInput = {
  workspaceId: 1,
  workspaceUuid: 'a-workspace',
  chatId: 5,
  memberId: 12,
  channel: 'phone-sms',
};

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
  const { path } = await workflowBundle();
  const common = { connection: environment.nativeConnection, activities };
  const workers = await Promise.all([
    Worker.create({ ...common, workflowBundle: { codePath: path }, taskQueue: taskQueues.runs }),
    Worker.create({ ...common, taskQueue: taskQueues.deliveries }),
  ]);
  const running = workers.map((worker) => worker.run());
  const { client } = environment;
  await client.workflow.execute('deliverMessages', { workflowId, taskQueue: taskQueues.runs, args: [input] });
  for (const worker of workers) worker.shutdown();
  await Promise.all(running);
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
