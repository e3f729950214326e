import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { TextPricesPass } from '../../../activities/channels/text-prices.js';
import { taskQueues, textPricesScheduleId } from '../../../workflows/contracts/runs.js';
import { hours, minutes } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';

/** How far the service's clock is ahead of the carrier's. */
let aheadMs = 0;
const { system, workspace } = useSmsWorkspace(() =>
  startSystem({ clock: { now: () => new Date(Date.now() + aheadMs) } }),
);
// Its pass would ask while a test has the carrier refuse.
beforeAll(async () => {
  const schedule = system.client.schedule.getHandle(textPricesScheduleId);
  await waitFor('the schedule is made', () => schedule.pause().then(() => true));
});

/** Runs one pass, as the schedule does. */
const pass = (): Promise<TextPricesPass> =>
  system.client.workflow.execute('storeTextPrices', {
    workflowId: `prices-${randomUUID()}`,
    taskQueue: taskQueues.runs,
  });
const costs = async (query = '') => (await workspace.asAdmin('GET', `/costs${query}`)).body;

it('what the texts of a chat have cost is known after the carrier has billed them', async () => {
  // The month may end while the clock is ahead.
  const { month } = await costs();
  const totals = async () => (await costs(`?month=${month}`)).totals;
  await system.carrier.turn({ billedAfterMs: null, pricePerSegment: 0.05, priceUnit: 'EUR' });
  const chat = await workspace.openChat();
  await chat.write('What does this cost?');
  await waitFor('the answer has arrived', async () => {
    const sent = await system.carrier.sentTo(chat.texter.phone);
    return sent.length > 0 && sent.every(({ status }) => status === 'delivered');
  });
  const texts = 1 + (await system.carrier.sentTo(chat.texter.phone)).length;

  // The carrier's list goes by whole seconds.
  aheadMs = minutes(1);
  expect(await pass()).toMatchObject({ carrier: 'asked', stored: texts });
  expect(await totals()).toMatchObject([{ currency: null, price: 0, texts, unbilled: texts }]);

  await system.carrier.turn({ billedAfterMs: 0, unauthorized: 1 });
  aheadMs = hours(1);
  expect(await pass()).toMatchObject({ carrier: 'unavailable', stored: 0 });
  // The breaker of the account asks again after a while.
  aheadMs = hours(2);
  expect(await pass()).toMatchObject({ carrier: 'asked', stored: texts });
  const [{ segments, ...billed }] = await totals();
  expect(billed).toMatchObject({ currency: 'EUR', texts, unbilled: 0 });
  expect(billed.price).toBeCloseTo(0.05 * segments, 6);
});
