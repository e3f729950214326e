import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { views } from '../../tools/screenshots/views.js';
import { pokeSignal } from '../../workflows/contracts/messages.js';
import type { RunType } from '../../workflows/contracts/runs.js';
import { allOf } from '../support/lib/csv-file.js';
import { waitFor } from '../support/lib/wait-for.js';
import { workflowBundle } from '../support/run/backend-client.js';
import { type ActivityName, type ScriptedRuns, scriptedRuns } from '../support/temporal/scripted-runs.js';
import { type OwnTemporal, startOwnTemporal } from '../support/temporal/temporal.js';
import { actionsOf, recordRun } from './histories.js';

let temporal: OwnTemporal;
let scripted: ScriptedRuns;
beforeAll(async () => {
  // A server that suggests continue-as-new for short histories.
  temporal = await startOwnTemporal(['limit.historyCount.suggestContinueAsNew=60']);
  scripted = await scriptedRuns(temporal.address, (await workflowBundle()).path);
});
afterAll(async () => {
  await scripted?.stop();
  await temporal?.stop();
});

const until = Date.now() + 3_600_000;
const waits = (stands?: string) => ({
  kind: 'wait',
  until,
  for: 'end',
  taskName: 'Hall',
  state: 'waits',
  ...(stands === undefined ? {} : { stands }),
});

const standsOf = async (run: WorkflowHandle) =>
  (await run.describe()).searchAttributes.Stands?.[0] ?? undefined;
const stands = (run: WorkflowHandle, reason: string | undefined) =>
  waitFor(`it says ${reason}`, async () => (await standsOf(run)) === reason);
const actions = async (run: WorkflowHandle) => actionsOf(await recordRun(run, '', 'any'));
const upserts = async (run: WorkflowHandle) =>
  (await actions(run)).filter((action) => action === 'search attributes').length;

/** A step that is taken again with each poke, and finds the next of these; the last one stays. */
function finds(...steps: readonly unknown[]) {
  let taken = 0;
  const part = () => {
    const step = steps[Math.min(taken, steps.length - 1)];
    taken += 1;
    return step;
  };
  return { part, taken: (times: number) => waitFor(`${times} steps`, () => taken >= times) };
}

describe('the search attribute Stands', { timeout: 60_000 }, () => {
  it('says why an assignment stands, until it goes on, and is set only when it changes', async () => {
    const { part, taken } = finds(waits(), waits('no_way_on'), waits('no_way_on'), waits('paused'), waits());
    const run = await scripted.start('runAssignment', randomUUID(), { advanceAssignment: part });
    await taken(1);
    expect(await standsOf(run)).toBeUndefined();
    expect(await upserts(run)).toBe(0);

    await run.signal(pokeSignal);
    await stands(run, 'no_way_on');
    await run.signal(pokeSignal);
    await taken(3);
    await run.signal(pokeSignal);
    await stands(run, 'paused');
    await run.signal(pokeSignal);
    await stands(run, undefined);

    expect(await upserts(run)).toBe(3);
  });

  it('is empty once an assignment that stood is concluded', async () => {
    const end = { kind: 'concluded', status: 'completed', taskName: 'Hall' };
    const { part } = finds(waits('delivery_failed'), end);
    const run = await scripted.start('runAssignment', randomUUID(), { advanceAssignment: part });
    await stands(run, 'delivery_failed');

    await run.signal(pokeSignal);
    await run.result();

    expect(await standsOf(run)).toBeUndefined();
  });

  it('is empty once a run that stood was cancelled in Temporal', async () => {
    const run = await scripted.start('runAssignment', randomUUID(), {
      advanceAssignment: () => waits('paused'),
      cancelAssignment: () => ({ status: 'cancelled' }),
    });
    await stands(run, 'paused');

    await run.cancel();
    await waitFor('it has ended', async () => (await run.describe()).status.name === 'CANCELLED');

    expect(await standsOf(run)).toBeUndefined();
  });

  it('lists what stands in the view for people, and nothing else', async () => {
    const [standing, going] = [randomUUID(), randomUUID()];
    let isStuck = true;
    const run = await scripted.start('runAssignment', standing, {
      advanceAssignment: () => waits(isStuck ? 'paused' : undefined),
    });
    await scripted.start('runAssignment', going, { advanceAssignment: () => waits() });
    const listed = async (query: string) =>
      (await allOf(scripted.client.workflow.list({ query }))).map(({ workflowId }) => workflowId);
    await waitFor('both are listed', async () => {
      const ids = await listed("ExecutionStatus = 'Running'");
      return [standing, going].every((uuid) => ids.includes(`assignment-${uuid}`));
    });

    const needing = await waitFor('it is listed', async () => {
      const ids = await listed(views['Needs a person']);
      return ids.includes(`assignment-${standing}`) && ids;
    });
    expect(needing).not.toContain(`assignment-${going}`);

    isStuck = false;
    await run.signal(pokeSignal);
    await waitFor('it is not listed', async () => {
      const ids = await listed(views['Needs a person']);
      return !ids.includes(`assignment-${standing}`);
    });
  });

  it.each([
    ['runAssignment', 'advanceAssignment', 'step_failed'],
    ['answerChat', 'advanceChat', 'step_failed'],
    ['sendScheduledMessage', 'sendScheduledMessage', 'step_failed'],
    ['runVoiceCall', 'advanceCall', 'step_failed'],
    ['deliverMessages', 'deliverNext', 'delivery_stuck'],
  ] as const)('of %s says that %s fails, until it does not', async (runType, activity, reason) => {
    let isBroken = true;
    const run = await scripted.start(runType, randomUUID(), {
      [activity]: (call: number) => {
        // A step that fails locally is tried again as an activity.
        if (isBroken && call === 1) throw new Error('away');
        if (isBroken) throw ApplicationFailure.nonRetryable('P0001', 'step_failed');
        return waits();
      },
      noteStandstill: () => undefined,
    });
    await stands(run, reason);
    isBroken = false;

    await run.signal(pokeSignal);
    await stands(run, undefined);

    expect(await upserts(run)).toBe(2);
  });

  it.each([
    ['runVoiceCall', 'advanceCall', { ...waits(), for: 'carrier_unusable' }],
    ['deliverMessages', 'deliverNext', { ...waits(), code: 'carrier_unusable' }],
  ] as [RunType, ActivityName, object][])(
    'of %s says that the account at the carrier cannot be used',
    async (runType, activity, unusable) => {
      const { part, taken } = finds(unusable, unusable, waits());
      const run = await scripted.start(runType, randomUUID(), { [activity]: part });
      await stands(run, 'carrier_unusable');
      await run.signal(pokeSignal);
      await taken(2);
      await run.signal(pokeSignal);
      await stands(run, undefined);
      expect(await upserts(run)).toBe(2);
    },
  );

  it.each([
    ['stays', 'no_way_on', 0],
    ['stays empty', undefined, 0],
  ])('%s while a run is continued as new, and is not set again', async (_what, reason, again) => {
    const run = await scripted.start('runAssignment', randomUUID(), {
      advanceAssignment: async (call, self) => {
        if (call < 20) await self.signal(pokeSignal);
        return call === 1 ? waits('no_way_on') : waits(reason);
      },
    });
    const first = (await run.describe()).runId;
    await waitFor('it was continued', async () => (await run.describe()).runId !== first);
    await waitFor('the last step is taken', async () => (await actions(run)).includes('timer'));
    expect(await standsOf(run)).toBe(reason);
    expect(await upserts(run)).toBe(again);
  });
});
