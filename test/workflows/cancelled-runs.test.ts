import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunType, runs, runTypes } from '../../workflows/contracts/runs.js';
import { waitFor } from '../support/lib/wait-for.js';
import { workflowBundle } from '../support/run/backend-client.js';
import {
  type ActivityName,
  type ScriptedRuns,
  scriptedRuns,
  underWay,
} from '../support/temporal/scripted-runs.js';
import { temporalAddress } from '../support/temporal/temporal.js';
import { type HistoryEvent, recordRun } from './histories.js';

/** What cancels the subject of a run that ends, by type. */
const cancelling: Partial<Record<RunType, ActivityName>> = {
  runAssignment: 'cancelAssignment',
  deliverWebhook: 'cancelWebhookDelivery',
  crawlSite: 'endCrawl',
  importMembers: 'cancelImport',
  sendScheduledMessage: 'cancelScheduledMessage',
};

let scripted: ScriptedRuns;
const handles = new Map<RunType, WorkflowHandle>();
beforeAll(async () => {
  scripted = await scriptedRuns(await temporalAddress(), (await workflowBundle()).path);
  for (const runType of runTypes) handles.set(runType, await scripted.start(runType, randomUUID(), underWay));
});
afterAll(() => scripted.stop());

async function eventsOf(runType: RunType): Promise<HistoryEvent[]> {
  const handle = handles.get(runType) as WorkflowHandle;
  return (await recordRun(handle, '', runType)).events;
}

const typesOf = (events: readonly HistoryEvent[]) =>
  events.map(({ eventType }) => eventType.replace('EVENT_TYPE_', ''));

describe('Cancel in Temporal', { timeout: 60_000 }, () => {
  it.each(runTypes)('of a run %s does what the table says', async (runType) => {
    const handle = handles.get(runType) as WorkflowHandle;
    await waitFor('the run has begun its work', async () =>
      typesOf(await eventsOf(runType)).some((type) => /^(ACTIVITY_TASK_SCHEDULED|TIMER_STARTED)$/.test(type)),
    );
    await handle.cancel();
    await waitFor('the run has heard of it', async () => {
      const types = typesOf(await eventsOf(runType));
      return (
        types.lastIndexOf('WORKFLOW_TASK_COMPLETED') > types.indexOf('WORKFLOW_EXECUTION_CANCEL_REQUESTED')
      );
    });

    if (runs[runType].onCancel === 'goes_on') {
      expect((await handle.describe()).status.name).toBe('RUNNING');
      const types = typesOf(await eventsOf(runType));
      expect(types).not.toContain('ACTIVITY_TASK_CANCEL_REQUESTED');
      expect(types).not.toContain('TIMER_CANCELED');
      return;
    }
    await waitFor('the run has ended', async () => (await handle.describe()).status.name !== 'RUNNING');
    const ended = runType === 'deliverWebhook' ? 'COMPLETED' : 'CANCELLED';
    expect((await handle.describe()).status.name).toBe(ended);
    const by = cancelling[runType];
    const json = JSON.stringify(await eventsOf(runType));
    if (by !== undefined && by !== 'cancelAssignment') expect(json).toContain(by);
  });
});

describe('the table of docs/alarms.md', () => {
  it('has each type of run, what Cancel does, and with which version it stays', async () => {
    const text = await readFile(new URL('../../docs/alarms.md', import.meta.url), 'utf8');
    const rows = text.matchAll(
      /^\| ((?:`\w+`(?:, )?)+) \| (ends|goes on)\b[^|]*\|[^|]*\| (pinned|moves) \|$/gm,
    );
    const told = Object.fromEntries(
      [...rows].flatMap(([, names = '', cancel, version]) =>
        names.split(', ').map((name) => [name.slice(1, -1), [cancel, version]]),
      ),
    );
    const words = { ends: 'ends', goes_on: 'goes on', PINNED: 'pinned', AUTO_UPGRADE: 'moves' };
    expect(told).toEqual(
      Object.fromEntries(
        runTypes.map((runType) => {
          const { onCancel, versioning } = runs[runType];
          return [runType, [words[onCancel], words[versioning]]];
        }),
      ),
    );
  });
});
