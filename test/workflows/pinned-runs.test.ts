import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pokeSignal } from '../../workflows/contracts/messages.js';
import { type RunType, runs, runTypes } from '../../workflows/contracts/runs.js';
import { waitFor } from '../support/lib/wait-for.js';
import { workflowBundle } from '../support/run/backend-client.js';
import { type ScriptedRuns, scriptedRuns, underWay } from '../support/temporal/scripted-runs.js';
import { temporalAddress } from '../support/temporal/temporal.js';
import { workerDeployment } from '../support/temporal/worker-versions.js';

/** `temporal.api.enums.v1.VersioningBehavior` */
const behaviours = { PINNED: 1, AUTO_UPGRADE: 2 };

let scripted: ScriptedRuns;
const handles = new Map<RunType, WorkflowHandle>();
beforeAll(async () => {
  const version = { deploymentName: 'service', buildId: '1' };
  scripted = await scriptedRuns(await temporalAddress(), (await workflowBundle()).path, version);
  await workerDeployment(scripted.client).makeCurrent(version);
  for (const runType of runTypes) handles.set(runType, await scripted.start(runType, randomUUID(), underWay));
});
afterAll(() => scripted.stop());

describe('a run on workers of a version', { timeout: 60_000 }, () => {
  it.each(runTypes)('of the type %s stays with it or moves, as its type says', async (runType) => {
    const run = handles.get(runType) as WorkflowHandle;
    const tasks = async () =>
      ((await run.fetchHistory()).events ?? []).flatMap((event) =>
        event.workflowTaskCompletedEventAttributes == null
          ? []
          : [event.workflowTaskCompletedEventAttributes],
      );
    await waitFor('it has begun', async () => (await tasks()).length > 0);
    // The next task replays the first one.
    await run.signal(pokeSignal);
    const taken = await waitFor('it is poked', async () => {
      const found = await tasks();
      return found.length > 1 && found;
    });
    for (const { deploymentVersion, versioningBehavior } of taken) {
      expect(deploymentVersion?.buildId).toBe('1');
      expect(versioningBehavior).toBe(behaviours[runs[runType].versioning]);
    }
  });
});
