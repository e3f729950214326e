import { randomUUID } from 'node:crypto';
import {
  type Client,
  type UpdateDefinition,
  WithStartWorkflowOperation,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import {
  type AssignmentRunRef,
  type AssignmentRuns,
  answerWithinMs,
  type SelectionAnswer,
} from '../domain/assignments/assignment-runs.js';
import { Unavailable } from '../domain/errors.js';
import { cancelUpdate, selectTaskUpdate } from '../workflows/contracts/messages.js';
import type { AssignmentRunInput } from '../workflows/contracts/runs.js';
import type { Configuration } from './configuration.js';
import { createTemporalClient, withinDeadline } from './temporal/connect.js';
import { isClosed } from './temporal/failures.js';
import { runOptions } from './temporal/run-options.js';

const reachWithinMs = 2_000;

/** What the api asks of runs directly, because it needs the answer. All else goes through the outbox. */
export interface RunsClient extends AssignmentRuns {
  /** Whether Temporal answers. */
  isReachable(): Promise<boolean>;
  close(): Promise<void>;
}

export function createRunsClient(configuration: Pick<Configuration, 'temporal'>): RunsClient {
  const client = createTemporalClient(configuration.temporal);

  return {
    async selectTask(run, request): Promise<SelectionAnswer> {
      const answer = await updateWithStart(client, run, selectTaskUpdate, request);
      return answer ?? { kind: 'not_active' };
    },

    async cancelAssignment(run, request): Promise<void> {
      await updateWithStart(client, run, cancelUpdate, request);
    },

    async isReachable(): Promise<boolean> {
      try {
        await withinDeadline(client, Date.now() + reachWithinMs, () =>
          client.workflowService.getSystemInfo({}),
        );
        return true;
      } catch {
        return false;
      }
    },

    close: () => client.connection.close(),
  };
}

/**
 * Sends an update to an assignment's run, starting it with the relay's own arguments where the outbox has not got
 * to it yet.
 *
 * One that comes while a worker is in the middle of a workflow task may be lost by the SDK, or by a worker that
 * ends: the server then rejects it, as nobody processed it, and it is sent again. What it asks for is done once,
 * by its request's uuid.
 *
 * @returns undefined when the run has closed
 * @throws Unavailable when there is no answer in time
 */
async function updateWithStart<Result, Request extends { requestUuid: string }>(
  client: Client,
  run: AssignmentRunRef,
  update: UpdateDefinition<Result, [Request]>,
  request: Request,
): Promise<Result | undefined> {
  const { assignmentUuid, ...input } = run;
  const options = runOptions('runAssignment', assignmentUuid, input satisfies AssignmentRunInput);
  const deadline = Date.now() + answerWithinMs;
  for (let updateId = request.requestUuid; Date.now() < deadline; updateId = randomUUID()) {
    try {
      return await withinDeadline(client, deadline, () =>
        client.workflow.executeUpdateWithStart(update, {
          updateId,
          args: [request],
          startWorkflowOperation: new WithStartWorkflowOperation('runAssignment', options),
        }),
      );
    } catch (error) {
      const failure = error instanceof WorkflowUpdateFailedError ? failureType(error) : undefined;
      // The run completed between taking the update and answering it.
      if (isClosed(error) || failure === 'AcceptedUpdateCompletedWorkflow') return undefined;
      if (failure === 'UnprocessedUpdate') continue;
      if (error instanceof WorkflowUpdateFailedError) throw error;
      break;
    }
  }
  throw new Unavailable('The run of the assignment cannot be reached.', 5, 'run_unreachable');
}

function failureType({ cause }: WorkflowUpdateFailedError): unknown {
  return cause !== undefined && 'type' in cause ? cause.type : undefined;
}
