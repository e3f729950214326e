import { Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.js';
import { workflowBundle } from '../support/run/backend-client.js';
import { installRuntime } from '../support/temporal/install-runtime.js';
import {
  checksumsOf,
  isReleased,
  listRecordings,
  readChecksums,
  readRecording,
} from './recording/releases.js';

const recordings = await listRecordings();

/** A change that breaks one of these histories breaks running workflows too: it must use `patched`. */
describe('a recorded history', () => {
  it.each(recordings)('%s is replayed without a determinism error', async (path) => {
    installRuntime();
    const bundle = await workflowBundle();

    await Worker.runReplayHistory({ workflowBundle: { codePath: bundle.path } }, await readRecording(path));
  });

  it('of another run type is rejected', async () => {
    installRuntime();
    const { path } = await workflowBundle();
    const history = await readRecording('0.1.0/deliver-messages.json');
    const started = history.events[0]?.workflowExecutionStartedEventAttributes;
    if (started?.workflowType) started.workflowType.name = 'answerChat';

    const replayed = Worker.runReplayHistory({ workflowBundle: { codePath: path } }, history);

    await expect(replayed).rejects.toThrow(DeterminismViolationError);
  });

  it('exists for every run type', async () => {
    const types = new Set<string>();
    for (const path of recordings) {
      const [started] = (await readRecording(path)).events;
      types.add(started?.workflowExecutionStartedEventAttributes?.workflowType?.name ?? '');
    }

    expect([...types].sort()).toEqual(Object.keys(workflows).sort());
  });

  it('does not change after its release', async () => {
    const released = await checksumsOf(recordings.filter(isReleased));

    expect(released.sort()).toEqual((await readChecksums()).sort());
  });
});
