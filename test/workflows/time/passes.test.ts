import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { taskQueues } from '../../../workflows/contracts/runs.js';
import { workflowBundle } from '../../support/run/backend-client.js';
import { installRuntime } from '../../support/temporal/install-runtime.js';
import { startTimeSkipping } from '../../support/temporal/time-skipping.js';

let environment: TestWorkflowEnvironment;

beforeAll(async () => {
  installRuntime();
  environment = await startTimeSkipping();
});
afterAll(() => environment.teardown());

/** Runs a pass whose activity fails this number of times. @returns the number of attempts */
async function passAfter(failures: number, net: string): Promise<number> {
  let tries = 0;
  const pass = async () => {
    tries += 1;
    if (tries <= failures) throw ApplicationFailure.retryable('the database is away', '57P03');
    return {};
  };
  const { path } = await workflowBundle();
  const common = { connection: environment.nativeConnection, activities: { [net]: pass } };
  const workers = await Promise.all([
    Worker.create({ ...common, workflowBundle: { codePath: path }, taskQueue: taskQueues.runs }),
    Worker.create({ ...common, taskQueue: taskQueues.deliveries }),
  ]);
  const running = workers.map((worker) => worker.run());
  try {
    const options = { workflowId: `${net}-${failures}`, taskQueue: taskQueues.runs };
    await environment.client.workflow.execute(net, options);
  } finally {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
  }
  return tries;
}

const nets = ['reconcileRuns', 'askForReceipts', 'receiveMissedMessages'];

it.each(nets)('retries a pass of %s while the database is unavailable for minutes', async (net) => {
  expect(await passAfter(10, net)).toBe(11);
});

it.each(nets)('fails a pass of %s that never succeeds, so that operators notice it', async (net) => {
  await expect(passAfter(1_000, net)).rejects.toThrow('Workflow execution failed');
});
