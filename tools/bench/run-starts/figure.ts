import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { pino } from 'pino';
import { Relay } from '../../../runtime/relay/relay.js';
import { createTemporalClient } from '../../../runtime/temporal/connect.js';
import { runOptions } from '../../../runtime/temporal/run-options.js';
import { connect } from '../../../test/support/db/connect.js';
import type { Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import { concurrently, rateOf } from '../support/durations.js';

const backlogPerOperation = 5;

/** The rate at which the relay starts the runs of a backlog. No worker executes them, so only starting is measured. */
export const runStarts: Figure = {
  name: 'run-starts',
  title: 'Starting the runs of a backlog',
  unit: 'runs/s',
  target: { ratioAtLeast: 0.9 },
  async prepare(stage, { operations }) {
    const client = createTemporalClient({ ...stage.temporal, tls: false });
    const count = operations * backlogPerOperation;
    return {
      floor: () => rateOf(count, () => startRuns(stage, client, count)),
      measured: async () => {
        await writeBacklog(stage, count);
        return rateOf(count, () => relayed(stage, client, count));
      },
    };
  },
};

function inputOf({ workspace: { workspaceId, workspaceUuid } }: Stage) {
  return { workspaceId, workspaceUuid, assignmentId: 1, chatId: 1, memberId: 1, definitionName: 'Intake' };
}

/** Writes the backlog as if the api had accepted `count` assignments while no worker was running. */
async function writeBacklog(stage: Stage, count: number): Promise<void> {
  const client = await connect(stage.appUrl);
  const { workspaceId } = stage.workspace;
  await client.query(`begin; set local app.workspace_id = '${workspaceId}'`);
  await client.query(
    `insert into outbox (workspace_id, run_type, subject, action, input)
     select $1, 'runAssignment', subject, 'start', $2 from unnest($3::uuid[]) subject`,
    [workspaceId, inputOf(stage), Array.from({ length: count }, () => randomUUID())],
  );
  await client.query('commit');
  await client.end();
}

/** Runs a relay until it has delivered `count` entries. */
async function relayed(stage: Stage, temporal: Client, count: number): Promise<void> {
  let relay: Relay | undefined;
  let delivered = 0;
  await new Promise<void>((resolve, reject) => {
    relay = new Relay({
      databaseUrl: stage.relayUrl,
      temporal,
      logger: pino({ level: 'silent' }),
      metrics: {
        delivered() {
          delivered += 1;
          if (delivered === count) resolve();
        },
        failed: (_, code) => reject(new Error(`a run was not started: ${code}`)),
        observe() {},
        observeTurns() {},
        observeDeliveries() {},
        observeScheduled() {},
        observeErasures() {},
        looked() {},
      },
    });
    relay.start();
  });
  await relay?.stop();
}

/** A higher concurrency is not faster. */
const atOnce = 40;

/** The floor of starting runs: the SDK's client alone starts the same runs, with its best concurrency. */
async function startRuns(stage: Stage, client: Client, count: number): Promise<void> {
  const runType = 'runAssignment';
  await concurrently(count, atOnce, () =>
    client.workflow.start(runType, runOptions({ runType, subject: randomUUID(), input: inputOf(stage) })),
  );
}
