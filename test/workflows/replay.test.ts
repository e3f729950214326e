import { readFileSync } from 'node:fs';
import type { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { beforeAll, describe, expect, it } from 'vitest';
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

const recordings = await Promise.all(
  (await listRecordings()).map(async (path) => ({ path, history: await readRecording(path) })),
);
const paths = recordings.map(({ path }) => path);

type History = temporal.api.history.v1.IHistory;
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

function typeOf({ events }: History): string {
  return events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name ?? '';
}

/** Replays histories in one worker, as a start of a worker takes longer. @returns what is wrong, by their names */
async function replayed(histories: Map<string, History>): Promise<Map<string, Error | undefined>> {
  installRuntime();
  const { path: codePath } = await workflowBundle();
  const named = [...histories].map(([workflowId, history]) => ({ workflowId, history }));
  const errors = new Map<string, Error | undefined>();
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle: { codePath } },
    named,
  )) {
    errors.set(workflowId, error);
  }
  return errors;
}

/** A change that breaks one of these histories breaks running workflows too: it must use `patched`. */
describe('a recorded history', () => {
  let errors: Awaited<ReturnType<typeof replayed>>;
  beforeAll(async () => {
    errors = await replayed(new Map(recordings.map(({ path, history }) => [path, history])));
  });

  it.each(paths)('%s is replayed without a determinism error', (path) => {
    expect([...errors.keys()]).toContain(path);
    expect(errors.get(path)).toBeUndefined();
  });

  it('of another run type is rejected', async () => {
    const history = await readRecording('0.1.0/deliver-messages.json');
    const started = history.events[0]?.workflowExecutionStartedEventAttributes;
    if (started?.workflowType) started.workflowType.name = 'answerChat';

    const found = await replayed(new Map([['of another type', history]]));

    expect(found.get('of another type')).toBeInstanceOf(DeterminismViolationError);
  });

  it('exists for every run type', () => {
    const types = new Set(recordings.map(({ history }) => typeOf(history)));

    expect([...types].sort()).toEqual(Object.keys(workflows).sort());
  });

  it.each(branchesInCode)('exists of a run $runType that $branch', ({ runType, sign }) => {
    const found = recordings.filter(
      ({ history }) => typeOf(history) === runType && history.events.some(sign),
    );
    expect(found).not.toEqual([]);
  });

  it('does not change after its release', async () => {
    const released = await checksumsOf(paths.filter(isReleased));

    expect(released.sort()).toEqual((await readChecksums()).sort());
  });
});
