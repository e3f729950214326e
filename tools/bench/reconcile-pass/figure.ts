import { setTimeout as pause } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { reconcilerActivities } from '../../../activities/kernel/reconciler.js';
import { systemClock } from '../../../domain/lib/clock.js';
import { openRuns } from '../../../test/support/temporal/open-runs.js';
import type { Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import { addAssignments } from '../support/add-assignments.js';
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
    async prepare(stage, { activeAssignments }) {
      await addAssignments(stage, activeAssignments);
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
