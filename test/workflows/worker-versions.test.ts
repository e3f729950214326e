import type { WorkflowHandle } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { replayRuns, sampleOpenRuns } from '../../runtime/replay/replay-runs.js';
import { pokeSignal } from '../../workflows/contracts/messages.js';
import { taskQueues } from '../../workflows/contracts/runs.js';
import { waitFor } from '../support/lib/wait-for.js';
import { workflowBundle } from '../support/run/backend-client.js';
import type { SmsAssignment } from '../support/system/sms-workspace.js';
import { startSystem } from '../support/system/system.js';
import { useSmsWorkspace } from '../support/system/use-sms-workspace.js';
import { atRest } from '../support/temporal/at-rest.js';
import type { RunningWorker } from '../support/temporal/engine.js';
import { type WorkerDeployment, workerDeployment } from '../support/temporal/worker-versions.js';
import { beginInHall } from './small-trees.js';

/** `temporal.api.enums.v1.VersioningBehavior.VERSIONING_BEHAVIOR_AUTO_UPGRADE` */
const autoUpgrade = 2;

/** The server registers the task queues of a version, and routes to another version, some seconds later. */
const laterWithinMs = 60_000;

const { system, workspace } = useSmsWorkspace(startSystem);
let deployment: WorkerDeployment;
let versioned: RunningWorker[];
let assignment: SmsAssignment;
let run: WorkflowHandle;

beforeAll(async () => {
  deployment = workerDeployment(system.client);
  assignment = await beginInHall(workspace);
  run = system.run('runAssignment', assignment.assignmentUuid);
  await waitFor('the run rests', () => atRest(run));
  versioned = await Promise.all(['1', '2'].map((build) => system.startWorker(deployment.version(build))));
});

/** The versions of the workers that handle a select and a poke of the run from now on. */
async function takers(): Promise<string[]> {
  const since = Date.now();
  expect((await assignment.select('Open')).status).toBe(200);
  await run.signal(pokeSignal);
  await waitFor('the run rests', () => atRest(run));
  const events = (await run.fetchHistory()).events ?? [];
  const cameUpAt = new Map(events.map(({ eventId, eventTime }) => [String(eventId), tsToMs(eventTime)]));
  const found = new Set<string>();
  for (const { workflowTaskCompletedEventAttributes: taken } of events) {
    if (taken == null || (cameUpAt.get(String(taken.scheduledEventId)) ?? 0) < since) continue;
    if (taken.deploymentVersion == null) found.add('unversioned');
    else {
      expect(taken.versioningBehavior).toBe(autoUpgrade);
      found.add(`${taken.deploymentVersion.deploymentName} ${taken.deploymentVersion.buildId}`);
    }
  }
  return [...found];
}

/** Makes a version current, whose routing reaches a task queue soon, and asserts that it alone handles the run then. */
async function movesTo(build: '1' | '2'): Promise<void> {
  await deployment.makeCurrent(deployment.version(build));
  const only = [`service ${build}`];
  await waitFor(
    `tasks go to version ${build}`,
    async () => String(await takers()) === String(only),
    laterWithinMs,
  );
  expect(await takers()).toEqual(only);
}

describe('the workers of a version', { timeout: 4 * laterWithinMs }, () => {
  it('poll every task queue', async () => {
    const { namespace } = system.client.options;
    const haveAllPolled = async () => {
      const { versionTaskQueues } = await system.client.workflowService.describeWorkerDeploymentVersion({
        namespace,
        deploymentVersion: deployment.version('1'),
      });
      const polled = new Set(versionTaskQueues?.map(({ name }) => name));
      return Object.values(taskQueues).every((name) => polled.has(name));
    };
    await waitFor('all have polled', haveAllPolled, laterWithinMs);
  });
});

describe('a run started by unversioned workers', { timeout: 4 * laterWithinMs }, () => {
  it('moves to the current version with its next task, and to no other polling version', async () => {
    expect(await takers()).toEqual(['unversioned']);

    for (const build of ['1', '2', '1'] as const) await movesTo(build);
  });

  it('can be replayed after running on a version', async () => {
    await movesTo('1');

    const open = (await sampleOpenRuns(system.client, 40)).filter(
      ({ workflowId }) => workflowId === run.workflowId,
    );
    const outcomes: string[] = [];
    for await (const replayed of replayRuns(system.client, open, (await workflowBundle()).path)) {
      outcomes.push(replayed.outcome);
    }
    expect(outcomes).toEqual(['replayed']);
  });

  it('returns to unversioned workers when the versioned ones stop', async () => {
    await movesTo('2');

    await deployment.makeCurrent();
    await Promise.all(versioned.map((worker) => worker.stop()));
    await waitFor(
      'tasks go to unversioned workers',
      async () => String(await takers()) === 'unversioned',
      laterWithinMs,
    );
    expect(await takers()).toEqual(['unversioned']);
  });
});
