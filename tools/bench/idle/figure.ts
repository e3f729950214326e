import { setTimeout as pause } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { reconcilerActivities } from '../../../activities/kernel/reconciler.js';
import { Database } from '../../../db/database.js';
import { systemClock } from '../../../domain/lib/clock.js';
import { queryOnce } from '../../../test/support/db/connect.js';
import { openRuns } from '../../../test/support/temporal/open-runs.js';
import type { Figure } from '../figure.js';
import type { Stage } from '../stage/stage.js';
import { commitsOf } from './commits-of.js';

/** Transactions of an installation in which nothing happens, those that only read included. */
export const idleCommits: Figure = {
  name: 'idle-commits',
  title: 'Commits of api and worker at rest',
  unit: 'commits/s',
  target: { atMost: 1 },
  async prepare(stage, { restSeconds }) {
    await Promise.all([stage.startApi(), stage.startWorker()]);
    const rest = () => pause(restSeconds * 1_000);
    return {
      async measured() {
        await rest();
        return (await commitsOf(stage, rest)) / restSeconds;
      },
    };
  },
};

/** What workspaces without anything to do add to a pass. */
export const idlePass: Figure = {
  name: 'idle-pass',
  title: 'Reconciler, one pass over a thousand idle workspaces',
  unit: 'commits',
  target: { moreAtMost: 0 },
  async prepare(stage, { idleWorkspaces }) {
    // The first pass notes what it begins with.
    await pass(stage);
    const alone = await commitsOfPass(stage);
    await queryOnce(
      stage.superuserUrl,
      `insert into identity.workspaces (name, slug, default_region, timezone)
       select 'Workspace', 'idle-' || number, 'US', 'UTC' from generate_series(1, ${idleWorkspaces}) number`,
    );
    return { floor: async () => alone, measured: () => commitsOfPass(stage) };
  },
};

/** The fewest of three passes: PostgreSQL counts transactions of its own, such as those of autovacuum. */
async function commitsOfPass(stage: Stage): Promise<number> {
  const counts: number[] = [];
  for (let round = 0; round < 3; round += 1) counts.push(await commitsOf(stage, () => pass(stage)));
  return Math.min(...counts);
}

async function pass({ appUrl }: Stage): Promise<void> {
  const db = new Database({ url: appUrl });
  const { reconcileRuns } = reconcilerActivities({
    db,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    runs: openRuns(),
  });
  await new MockActivityEnvironment().run(reconcileRuns);
  await db.close();
}
