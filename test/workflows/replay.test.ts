import { readFileSync } from 'node:fs';
import type { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { describe, expect, it } from 'vitest';
import { runTypes } from '../../workflows/contracts/runs.js';
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

type Event = temporal.api.history.v1.IHistoryEvent;

/** Ways that the code of a run may take, by what stands for them in the code and in a history. */
const ways: { branch: string; code: RegExp; sign: (event: Event) => boolean }[] = [
  {
    branch: 'is continued as new',
    code: /continueAsNew<|untilDone\(/,
    sign: (event) => event.workflowExecutionContinuedAsNewEventAttributes != null,
  },
  {
    branch: 'stands still',
    code: /[sS]tandStill\(/,
    sign: (event) => scheduled(event) === 'noteStandstill',
  },
  {
    branch: 'shows why it stands',
    code: /showStands\(/,
    sign: (event) => {
      const { searchAttributes } = event.upsertWorkflowSearchAttributesEventAttributes ?? {};
      return searchAttributes?.indexedFields?.Stands !== undefined;
    },
  },
  {
    branch: 'cancels what it is for',
    code: /orCancel\(|isCancellation\(/,
    sign: (event) => event.workflowExecutionCancelRequestedEventAttributes != null,
  },
  {
    branch: 'takes its steps as ordinary activities',
    code: /new LocalStepQueue\(/,
    sign: (event) => /^(advance|sendScheduledMessage)/.test(scheduled(event)),
  },
  {
    branch: 'goes on after a step that is not the last',
    code: /'again'|next = left/,
    sign: (event) => Number(event.activityTaskCompletedEventAttributes?.scheduledEventId ?? 0) > 5,
  },
];

function scheduled({ activityTaskScheduledEventAttributes }: Event): string {
  return activityTaskScheduledEventAttributes?.activityType?.name ?? '';
}

/** Runs of schedules have one code. */
const aPass = 'reconcileRuns';

const codeOf = (file: string) => readFileSync(new URL(`../../workflows/${file}.ts`, import.meta.url), 'utf8');

/** The names of the files, by the runs that they export. */
const files = new Map(
  [...codeOf('all-runs').matchAll(/export \{([^}]+)\} from '\.\/([\w-]+)\.js'/g)].flatMap(
    ([, names = '', file = '']) => names.split(',').map((name) => [name.trim(), file] as const),
  ),
);

const branchesInCode = [...runTypes, aPass].flatMap((runType) => {
  const code = codeOf(runType === aPass ? 'pass' : (files.get(runType) ?? ''));
  return ways.filter((way) => way.code.test(code)).map(({ branch, sign }) => ({ runType, branch, sign }));
});

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

  it.each(branchesInCode)('exists of a run $runType that $branch', async ({ runType, sign }) => {
    const found: string[] = [];
    for (const path of recordings) {
      const history = await readRecording(path);
      const type = history.events[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name;
      if (type === runType && history.events.some(sign)) found.push(path);
    }
    expect(found).not.toEqual([]);
  });

  it('does not change after its release', async () => {
    const released = await checksumsOf(recordings.filter(isReleased));

    expect(released.sort()).toEqual((await readChecksums()).sort());
  });
});
