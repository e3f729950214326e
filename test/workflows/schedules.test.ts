import { randomUUID } from 'node:crypto';
import { type Client, ServiceError } from '@temporalio/client';
import { expect, it } from 'vitest';
import {
  collectorScheduleId,
  dataRetentionScheduleId,
  dueCrawlsScheduleId,
  keysScheduleId,
  missedMessagesScheduleId,
  receiptsScheduleId,
  reconcilerScheduleId,
  retentionScheduleId,
  siteDomainsScheduleId,
  taskQueues,
  textPricesScheduleId,
  waitingChatsScheduleId,
} from '../../workflows/contracts/runs.js';
import { allOf } from '../support/lib/csv-file.js';
import { waitFor } from '../support/lib/wait-for.js';
import { startSystem } from '../support/system/system.js';
import { createDevEngine } from '../support/temporal/engine.js';

/** A client that rejects the creation of schedules until it is allowed, as with a missing permission. */
function withoutSchedules(client: Client): { client: Client; refused(): number; allow(): void } {
  let refused = 0;
  let isAllowed = false;
  const create: Client['schedule']['create'] = async (options) => {
    if (isAllowed) return client.schedule.create(options);
    refused += 1;
    throw new ServiceError('permission denied');
  };
  return {
    client: { schedule: { create } } as unknown as Client,
    refused: () => refused,
    allow: () => {
      isAllowed = true;
    },
  };
}

const ids = [
  collectorScheduleId,
  dataRetentionScheduleId,
  dueCrawlsScheduleId,
  keysScheduleId,
  missedMessagesScheduleId,
  receiptsScheduleId,
  reconcilerScheduleId,
  retentionScheduleId,
  siteDomainsScheduleId,
  textPricesScheduleId,
  waitingChatsScheduleId,
].sort();

const listed = async (client: Client) =>
  (await allOf(client.schedule.list())).map(({ scheduleId }) => scheduleId).sort();

it('starts workers without schedules, and creates them once allowed', { timeout: 240_000 }, async () => {
  const engine = await createDevEngine();
  let schedules: ReturnType<typeof withoutSchedules> | undefined;
  const system = await startSystem({
    engine: {
      temporal: engine.temporal,
      startWorker(options) {
        schedules = withoutSchedules(options.client);
        return engine.startWorker({ ...options, client: schedules.client });
      },
    },
  });
  try {
    await waitFor('they are refused a second time', () => (schedules?.refused() ?? 0) > ids.length);

    const found = await system.client.workflow.execute('reconcileRuns', {
      workflowId: `reconcile-${randomUUID()}`,
      taskQueue: taskQueues.runs,
    });

    expect(found).toMatchObject({ finished: true });
    expect(await listed(system.client)).toEqual([]);
    schedules?.allow();
    await waitFor('they are made', async () => (await listed(system.client)).join() === ids.join(), 120_000);
  } finally {
    await system.stop();
  }
});
