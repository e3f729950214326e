import {
  ActivityFailure,
  type ActivityOptions,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { stepFailed } from './contracts/failures.js';
import { taskQueues } from './contracts/runs.js';
import { Mutex } from './mutex.js';

const local = { startToCloseTimeout: '1500ms', retry: { maximumAttempts: 1 } } as const;
/** With the one that may follow them, all within the eight seconds after which the SDK renews a workflow task. */
const localAtOnce = 3;
const patient = {
  taskQueue: taskQueues.runs,
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '15s', nonRetryableErrorTypes: [stepFailed] },
} satisfies ActivityOptions;

type StepName = keyof Activities;
type StepInput<Name extends StepName> = Parameters<Activities[Name]>[0];
type StepResult<Name extends StepName> = Awaited<ReturnType<Activities[Name]>>;
type Steps<Name extends StepName> = Record<
  string,
  (input: StepInput<Name>) => Promise<StepResult<Name>> & ReturnType<Activities[Name]>
>;

/**
 * The short, idempotent database steps of one run, whoever asks for them: its loop, a turn, an update.
 *
 * A step is a local activity, which costs no round trip through the server. They are taken one at a time, because
 * those that run side by side are resolved in another order when they are replayed
 * (https://github.com/temporalio/sdk-python/issues/1578). Where the database is away, or many steps are asked for at once, the rest go on as ordinary activities
 * with patient retries: they hold up nothing else of the run, and an operator sees what it waits for. What fails five times
 * for a reason that does not pass fails for good, with the type `step_failed` (`stand-still.ts`).
 */
export class LocalStepQueue {
  readonly #queue = new Mutex();

  /** Nothing waits for its turn to be a local activity. */
  get isIdle(): boolean {
    return this.#queue.asked === 0;
  }

  async execute<Name extends StepName>(
    name: Name,
    input: StepInput<Name>,
    summary: string,
  ): Promise<StepResult<Name>> {
    if (this.#queue.asked < localAtOnce) {
      const taken = await this.#queue.runExclusive(() => takeLocally(name, input, summary));
      if (taken !== undefined) return taken.result;
    }
    const activities = proxyActivities<Steps<Name>>({ ...patient, summary });
    return await (activities[name] as Steps<Name>[string])(input);
  }
}

/** @returns undefined when it has to be taken the patient way */
async function takeLocally<Name extends StepName>(
  name: Name,
  input: StepInput<Name>,
  summary: string,
): Promise<{ result: StepResult<Name> } | undefined> {
  try {
    const activities = proxyLocalActivities<Steps<Name>>({ ...local, summary });
    return { result: await (activities[name] as Steps<Name>[string])(input) };
  } catch (error) {
    if (isCancellation(error) || !mayPass(error)) throw error;
    return undefined;
  }
}

function mayPass(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return !(cause instanceof ApplicationFailure && cause.nonRetryable);
}
