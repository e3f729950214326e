import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Client,
  type UpdateDefinition,
  WithStartWorkflowOperation,
  WorkflowFailedError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import {
  ActivityFailure,
  ApplicationFailure,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/common';
import {
  type AssignmentRunRef,
  type AssignmentRuns,
  answerWithinMs,
} from '../domain/assignments/assignment-runs.js';
import {
  type SummaryRuns,
  type SummaryState,
  summaryWithinMs,
  type Waiting,
} from '../domain/conversations/summaries/summary-runs.js';
import { Unavailable } from '../domain/lib/errors.js';
import type { SummaryOutcome } from '../workflows/contracts/commands.js';
import { stepFailed } from '../workflows/contracts/failures.js';
import { cancelUpdate, selectTaskUpdate } from '../workflows/contracts/messages.js';
import { type SummaryRunInput, workflowIdOf } from '../workflows/contracts/runs.js';
import type { Configuration } from './configuration.js';
import type { Logger } from './logger.js';
import { closeTemporalClient, createTemporalClient, withinDeadline } from './temporal/connect.js';
import { failureCode, isClosed } from './temporal/failures.js';
import { type RunOptions, runOptions } from './temporal/run-options.js';

const reachWithinMs = 2_000;
const minPauseMs = 20;
const maxPauseMs = 500;

/** What the api asks runs directly, because it needs the answer. Everything else goes through the outbox. */
export interface RunsClient extends AssignmentRuns, SummaryRuns {
  isReachable(): Promise<boolean>;
  close(): Promise<void>;
}

export function createRunsClient(configuration: Pick<Configuration, 'temporal'>, logger: Logger): RunsClient {
  const client = createTemporalClient(configuration.temporal);
  const context = { client, logger };

  return {
    selectTask: (run, request) => updateWithStart(context, run, selectTaskUpdate, request),
    async cancelAssignment(run, request) {
      await updateWithStart(context, run, cancelUpdate, request);
    },
    summarizeChat: (run, waiting) => runSummary(context, run, waiting),
    findSummary: (requestUuid) => findSummary(context, workflowIdOf('summarizeChat', requestUuid)),
    cancelSummary: (requestUuid) => cancelSummary(context, workflowIdOf('summarizeChat', requestUuid)),
    isReachable: () =>
      withinDeadline(client, Date.now() + reachWithinMs, () => client.workflowService.getSystemInfo({})).then(
        () => true,
        () => false,
      ),
    close: () => closeTemporalClient(client),
  };
}

/**
 * Sends an update to an assignment's run, and starts the run with the relay's own arguments if the outbox entry was not
 * delivered yet.
 *
 * The server drops an update when a worker or the SDK loses it, and when its workflow task is rejected, although its
 * step may have completed by then. Such an update is sent again under another id until the deadline; the database
 * recognises the request by its uuid and applies it once.
 * @returns undefined if the run has closed
 * @throws Unavailable when there is no answer in time
 */
async function updateWithStart<Result, Request extends { requestUuid: string }>(
  { client, logger }: { client: Client; logger: Logger },
  run: AssignmentRunRef,
  update: UpdateDefinition<Result, [Request]>,
  request: Request,
): Promise<Result | undefined> {
  const { assignmentUuid, ...input } = run;
  const options = runOptions({ runType: 'runAssignment', subject: assignmentUuid, input });
  const fields = { workflowId: options.workflowId, update: update.name };
  const deadline = Date.now() + answerWithinMs;
  let updateId = request.requestUuid;
  for (let pauseMs = minPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await withinDeadline(client, deadline, () =>
        client.workflow.executeUpdateWithStart(update, {
          updateId,
          args: [request],
          startWorkflowOperation: new WithStartWorkflowOperation('runAssignment', options),
        }),
      );
    } catch (error) {
      // The run closed before the update, or during it.
      if (isClosed(error) || failureType(error) === 'AcceptedUpdateCompletedWorkflow') return undefined;
      if (isStepFailed(error)) {
        logger.error({ ...fields, code: stepFailed }, 'a step fails each time');
        throw new Unavailable('The step of the assignment fails each time it is tried.', 60, stepFailed);
      }
      if (!mayAskAgain(error) || Date.now() + pauseMs >= deadline) {
        logger.warn({ ...fields, code: updateFailureCode(error) }, 'a run was not reached');
        throw new Unavailable('The run of the assignment cannot be reached.', 5, 'run_unreachable');
      }
      updateId = randomUUID();
      await delay(pauseMs);
    }
  }
}

/**
 * Starts the run of a summary, or finds that of an earlier request with the same uuid, and waits for its result. An
 * earlier run that came to nothing is followed by another: what stood in its way may be gone. A run that an operator has
 * ended counts as failed. @throws Unavailable when there is no result in time, and the reason of a signal that is aborted
 */
async function runSummary(
  { client, logger }: { client: Client; logger: Logger },
  input: SummaryRunInput,
  { signal, begun }: Waiting = {},
): Promise<SummaryOutcome> {
  signal?.throwIfAborted();
  const options = runOptions({ runType: 'summarizeChat', subject: input.requestUuid, input });
  const { workflowId } = options;
  try {
    const isNew = await startSummary(client, options);
    if (isNew || (begun !== undefined && (await stateOf(client, workflowId))?.kind === 'running')) begun?.();
    const outcome = await summaryOf(client, workflowId, signal);
    if (isNew || outcome === 'summarized' || outcome === 'chat_gone') return outcome;
    await startSummary(client, { ...options, workflowIdReusePolicy: 'ALLOW_DUPLICATE' });
    begun?.();
    return await summaryOf(client, workflowId, signal);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw unreached(logger, workflowId, error);
  }
}

/** Starts a run, or joins the open one. @returns false if an earlier one has closed */
async function startSummary(client: Client, options: RunOptions): Promise<boolean> {
  try {
    await withinDeadline(client, Date.now() + answerWithinMs, () =>
      client.workflow.start('summarizeChat', options),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

async function summaryOf(
  client: Client,
  workflowId: string,
  signal: AbortSignal | undefined,
): Promise<SummaryOutcome> {
  signal?.throwIfAborted();
  try {
    const { outcome } = await withinDeadline(
      client,
      Date.now() + summaryWithinMs,
      () => client.workflow.getHandle<SummaryWorkflow>(workflowId).result(),
      signal,
    );
    return outcome;
  } catch (error) {
    if (error instanceof WorkflowFailedError) return 'failed';
    throw error;
  }
}

async function findSummary(
  { client, logger }: { client: Client; logger: Logger },
  workflowId: string,
): Promise<SummaryState | undefined> {
  try {
    return await stateOf(client, workflowId);
  } catch (error) {
    throw unreached(logger, workflowId, error);
  }
}

/** A run that has failed, was ended by an operator or took too long counts as failed. */
async function stateOf(client: Client, workflowId: string): Promise<SummaryState | undefined> {
  const handle = client.workflow.getHandle<SummaryWorkflow>(workflowId);
  return withinDeadline(client, Date.now() + answerWithinMs, async (): Promise<SummaryState | undefined> => {
    try {
      const { status } = await handle.describe();
      if (status.name === 'RUNNING') return { kind: 'running' };
      if (status.name === 'CANCELLED') return { kind: 'cancelled' };
      const outcome = status.name === 'COMPLETED' ? (await handle.result()).outcome : 'failed';
      return { kind: 'ended', outcome };
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return undefined;
      throw error;
    }
  });
}

async function cancelSummary(
  { client, logger }: { client: Client; logger: Logger },
  workflowId: string,
): Promise<void> {
  try {
    await withinDeadline(client, Date.now() + answerWithinMs, () =>
      client.workflow.getHandle(workflowId).cancel(),
    );
  } catch (error) {
    // The run has ended.
    if (error instanceof WorkflowNotFoundError) return;
    throw unreached(logger, workflowId, error);
  }
}

function unreached(logger: Logger, workflowId: string, error: unknown): Unavailable {
  logger.warn({ workflowId, code: failureCode(error) }, 'a run was not reached');
  return new Unavailable('The run of the summary cannot be reached in time.', 5, 'run_unreachable');
}

type SummaryWorkflow = (input: SummaryRunInput) => Promise<{ outcome: SummaryOutcome }>;

/**
 * Whether the server dropped the update without an answer: no worker processed it, its workflow task failed
 * (FAILED_PRECONDITION), or too many updates of the run were in progress (RESOURCE_EXHAUSTED, ABORTED).
 */
function mayAskAgain(error: unknown): boolean {
  if (error instanceof WorkflowUpdateFailedError) return failureType(error) === 'UnprocessedUpdate';
  return ['grpc_8', 'grpc_9', 'grpc_10'].includes(failureCode(error));
}

function isStepFailed(error: unknown): boolean {
  const failure = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  const cause = failure instanceof ActivityFailure ? failure.cause : undefined;
  return cause instanceof ApplicationFailure && cause.type === stepFailed;
}

function updateFailureCode(error: unknown): unknown {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return failureCode(error.cause);
  return failureType(error) ?? failureCode(error);
}

function failureType(error: unknown): unknown {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  return cause !== undefined && 'type' in cause ? cause.type : undefined;
}
