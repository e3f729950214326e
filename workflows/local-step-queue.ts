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

const local = { startToCloseTimeout: '1500ms', retry: { maximumAttempts: 1 } } as const;
/** Maximum number of steps that wait as local activities; the SDK renews a workflow task after eight seconds. */
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
 * Executes the short, idempotent database steps of one run as local activities, which saves the round trip through the
 * server: one at a time, because concurrent ones may resolve in another order during replay
 * (https://github.com/temporalio/sdk-python/issues/1578). If the database is unavailable, or more than three steps
 * queue up, a step becomes an ordinary activity with long retries: it does not block the workflow task, and an operator
 * sees it. A step that fails five times for a permanent reason fails with the type `step_failed` (`stand-still.ts`).
 */
export class LocalStepQueue {
  readonly #queue = new Mutex();

  /** No local activity runs or waits. */
  get isIdle(): boolean {
    return this.#queue.asked === 0;
  }

  async execute<Name extends StepName>(
    name: Name,
    input: StepInput<Name>,
    summary: string,
  ): Promise<StepResult<Name>> {
    if (this.#queue.asked < localAtOnce) {
      const taken = await this.#queue.runExclusive(() => executeLocally(name, input, summary));
      if (taken !== undefined) return taken.result;
    }
    const activities = proxyActivities<Steps<Name>>({ ...patient, summary });
    return await (activities[name] as Steps<Name>[string])(input);
  }
}

/** @returns undefined when the step has to be retried as an ordinary activity */
async function executeLocally<Name extends StepName>(
  name: Name,
  input: StepInput<Name>,
  summary: string,
): Promise<{ result: StepResult<Name> } | undefined> {
  try {
    const activities = proxyLocalActivities<Steps<Name>>({ ...local, summary });
    return { result: await (activities[name] as Steps<Name>[string])(input) };
  } catch (error) {
    if (isCancellation(error) || !isTransient(error)) throw error;
    return undefined;
  }
}

function isTransient(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return !(cause instanceof ApplicationFailure && cause.nonRetryable);
}

/** Runs one piece of work at a time, first come, first served. */
class Mutex {
  #last: Promise<unknown> = Promise.resolve();
  #asked = 0;

  /** How many run or wait. */
  get asked(): number {
    return this.#asked;
  }

  async runExclusive<T>(work: () => Promise<T>): Promise<T> {
    this.#asked += 1;
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      this.#asked -= 1;
    }
  }
}
