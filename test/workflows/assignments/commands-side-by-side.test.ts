import { randomUUID } from 'node:crypto';
import { activityInfo } from '@temporalio/activity';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selectTaskUpdate } from '../../../workflows/contracts/messages.js';
import { type AssignmentRunInput, taskQueues } from '../../../workflows/contracts/runs.js';
import type { AssignmentStep } from '../../../workflows/contracts/steps.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { workflowBundle } from '../../support/run/backend-client.js';
import { installRuntime } from '../../support/temporal/install-runtime.js';
import { createNamespace } from '../../support/temporal/own-namespace.js';
import { temporalAddress } from '../../support/temporal/temporal.js';

/** Steps that change their state at once and answer when the test releases them. */
class ScriptedSteps {
  /** The state that the last executed step has left. */
  state: AssignmentStep = waiting('beginning');
  readonly #held = new Map<number, () => void>();
  advances = 0;

  readonly activities = {
    advanceAssignment: async (): Promise<AssignmentStep> => {
      this.advances += 1;
      return this.state;
    },
    selectTask: async ({ assignmentTaskId }: { assignmentTaskId: number }) => {
      // As if the database was unavailable for a moment: the select is retried as a regular activity, which other
      // activities may run beside.
      if (activityInfo().isLocal) throw new Error('the database is away');
      // The change is made now and answered later.
      this.state = assignmentTaskId === lastTask ? turn : waiting(`task ${assignmentTaskId}`);
      const next = this.state;
      await new Promise<void>((answer) => this.#held.set(assignmentTaskId, answer));
      return { answer: { kind: 'entered' }, next };
    },
    takeTurnRound: async () => {
      this.state = waiting('after the turn');
      return { kind: 'replied' };
    },
  };

  async answer(assignmentTaskId: number): Promise<void> {
    await this.isHeld(assignmentTaskId);
    this.#held.get(assignmentTaskId)?.();
  }

  isHeld(assignmentTaskId: number): Promise<unknown> {
    return waitFor('the select was carried out', () => this.#held.has(assignmentTaskId));
  }
}

const firstTask = 1;
const lastTask = 2;
const turn: AssignmentStep = { kind: 'turn', taskName: 'Last', chatVersion: 2 };
function waiting(taskName: string): AssignmentStep {
  return { kind: 'wait', taskName, state: 'waits' };
}

const steps = new ScriptedSteps();
let connection: NativeConnection;
let client: Client;
let workers: Worker[];
let running: Promise<unknown>;

beforeAll(async () => {
  installRuntime();
  const address = await temporalAddress();
  const namespace = await createNamespace(address);
  connection = await NativeConnection.connect({ address });
  client = new Client({ connection: await Connection.connect({ address }), namespace });
  const { path } = await workflowBundle();
  workers = await Promise.all(
    [taskQueues.runs, taskQueues.turns].map((taskQueue) =>
      Worker.create({
        connection,
        namespace,
        taskQueue,
        workflowBundle: { codePath: path },
        activities: steps.activities,
      }),
    ),
  );
  running = Promise.all(workers.map((worker) => worker.run()));
});
afterAll(async () => {
  for (const worker of workers) worker.shutdown();
  await running;
  await Promise.all([connection.close(), client.connection.close()]);
});

function select(run: WorkflowHandle, assignmentTaskId: number) {
  return run.executeUpdate(selectTaskUpdate, {
    args: [
      {
        requestUuid: randomUUID(),
        assignmentTaskId,
        actorMemberId: 1,
        byOperator: true,
        notAfter: Date.now(),
      },
    ],
  });
}

async function details(run: WorkflowHandle): Promise<string> {
  return (await run.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
}

describe('selects whose activities run concurrently', () => {
  it('leave the run in the state of the last one, in whatever order they are answered', async () => {
    const input: AssignmentRunInput = {
      workspaceId: 1,
      workspaceUuid: randomUUID(),
      assignmentId: 1,
      chatId: 1,
      memberId: 1,
      definitionName: 'Doors',
    };
    const run = await client.workflow.start('runAssignment', {
      workflowId: `assignment-${randomUUID()}`,
      taskQueue: taskQueues.runs,
      args: [input],
    });
    await waitFor('it waits', () => steps.advances === 1);

    const first = select(run, firstTask);
    await steps.isHeld(firstTask);
    const last = select(run, lastTask);
    await Promise.all([steps.answer(lastTask), last]);
    await waitFor('the agent had its turn', async () => (await details(run)).includes('after the turn'));
    const { advances } = steps;
    await Promise.all([steps.answer(firstTask), first]);

    // The query is answered after the preceding events have been processed.
    await waitFor('the run has asked again where it stands', () => steps.advances > advances);
    expect(await details(run)).toContain('after the turn');
  });
});
