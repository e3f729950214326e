import { setTimeout as pause } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import pg from 'pg';
import { pino } from 'pino';
import { reconcilerActivities } from '../../../activities/kernel/reconciler.js';
import { systemClock } from '../../../domain/lib/clock.js';
import { openRuns } from '../../../test/support/temporal/open-runs.js';
import { addAssignment } from '../../../test/support/workspace/factories.js';
import type { Effort, Figure } from '../figure.js';
import { waitingTasks } from '../select-task/waiting-tasks.js';
import type { Stage } from '../stage/stage.js';
import { durationOf } from '../support/durations.js';

/** The simulated time of one describe request to a Temporal server in the same network. */
const lookUpMs = 3;

export const reconcilePass = {
  seconds: figure('reconcile-pass', 's', 120, ({ seconds }) => seconds),
  calls: figure('reconcile-pass-calls', 'calls', 100, ({ calls }) => calls),
};

/** `calls` is the number of requests to Temporal. */
type Pass = { seconds: number; calls: number };

function figure(name: string, unit: Figure['unit'], atMost: number, told: (pass: Pass) => number): Figure {
  return {
    name,
    title: 'Reconciler, one pass over 100,000 assignments',
    unit,
    target: { atMost },
    async prepare(stage, effort) {
      await addAssignments(stage, effort);
      return { measured: async () => told(await passThrough(stage)) };
    },
  };
}

async function passThrough({ database }: Stage): Promise<Pass> {
  let calls = 0;
  const { reconcileRuns } = reconcilerActivities({
    db: database,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    runs: openRuns({
      async statusOf() {
        calls += 1;
        await pause(lookUpMs);
        return 'running';
      },
      async listClosedAssignments() {
        calls += 1;
        return new Map();
      },
      async listOpenAssignments() {
        calls += 1;
        return { items: new Map() };
      },
    }),
  });
  const milliseconds = await durationOf(() => new MockActivityEnvironment().run(reconcileRuns));
  return { seconds: milliseconds / 1_000, calls };
}

async function addAssignments(
  { superuserUrl, workspace }: Stage,
  { activeAssignments }: Effort,
): Promise<void> {
  const { assignment } = await addAssignment(workspace, { rootTask: waitingTasks });
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(`set session_replication_role = replica`);
  // Copies of the one assignment, each with its own chat.
  for (const [table, original, own] of [
    ['chats', assignment.chatId, ''],
    ['assignments', assignment.id, `, 'chat_id', copy`],
  ] as const) {
    await client.query(
      `insert into ${table} overriding system value
       select (jsonb_populate_record(original, jsonb_build_object('id', copy, 'uuid', gen_random_uuid()${own}))).*
       from ${table} original, generate_series(1000000, 1000000 + $2 - 2) copy
       where original.id = $1`,
      [original, activeAssignments],
    );
  }
  await client.query('delete from outbox');
  await client.query('vacuum analyze chats, assignments');
  await client.end();
}
