import { afterAll, beforeAll, expect, it } from 'vitest';
import { workflowBundle } from '../support/run/backend-client.js';
import { type ScriptedRuns, scriptedRuns } from '../support/temporal/scripted-runs.js';
import { temporalAddress } from '../support/temporal/temporal.js';

let scripted: ScriptedRuns;
beforeAll(async () => {
  scripted = await scriptedRuns(await temporalAddress(), (await workflowBundle()).path);
});
afterAll(() => scripted.stop());

const looked = { checked: 2, restarted: 1, concluded: 0, woken: 0, failed: 0 };
const slices = [
  { ...looked, finished: false, next: true },
  { ...looked, finished: false, next: { walked: true } },
  { ...looked, finished: true },
];
const script = { reconcileRuns: (call: number) => slices[call - 1] };

it('a pass goes on slice by slice from where it stands, and sums up what it has found', async () => {
  const run = await scripted.startPass('reconcileRuns', script);

  expect(await run.result()).toEqual({
    checked: 6,
    restarted: 3,
    concluded: 0,
    woken: 0,
    failed: 0,
    finished: true,
  });
  const { events } = await run.fetchHistory();
  const scheduled = (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
  const inputs = scheduled.map(({ input }) =>
    (input?.payloads ?? []).map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString())),
  );
  expect(inputs).toEqual([[], [], [{ walked: true }]]);
});

it('a pass ends when it has lasted for long enough: the next one goes on', async () => {
  const run = await scripted.startPass('reconcileRuns', script, { until: 0 });

  expect(await run.result()).toEqual({ ...looked, finished: false });
});
