import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reconciliation } from '../../activities/kernel/reconciler.js';
import { taskQueues } from '../../workflows/contracts/runs.js';
import { useDatabase } from '../support/db/use-database.js';
import {
  createSmsWorkspace,
  type SmsAssignment,
  type SmsWorkspace,
} from '../support/system/sms-workspace.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { doors } from './small-trees.js';

const testDatabase = useDatabase();
let system: TestSystem;
let workspace: SmsWorkspace;
let definitionId: number;

beforeAll(async () => {
  system = await startSystem({ testDatabase, relay: false });
  workspace = await createSmsWorkspace(system);
  definitionId = await workspace.publish(doors);
});
afterAll(async () => {
  await system.stop();
});

function reconcile(): Promise<Reconciliation> {
  return system.client.workflow.execute('reconcileRuns', {
    workflowId: `reconcile-${randomUUID()}`,
    taskQueue: taskQueues.runs,
  });
}

/** Simulates a lost Temporal server or a lost outbox entry. */
async function emptyOutbox(): Promise<void> {
  const client = new pg.Client({ connectionString: testDatabase.relayUrl });
  await client.connect();
  await client.query('delete from outbox');
  await client.end();
}

/** Makes the database reject every change of one assignment. @returns a function that ends this */
async function spoil(assignmentId: number): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: testDatabase.superuserUrl });
  await client.connect();
  await client.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before update on assignments for each row when (old.id = ${Number(assignmentId)})
      execute function refuse()`);
  return async () => {
    await client.query('drop function refuse cascade');
    await client.end();
  };
}

const nothing: Reconciliation = { checked: 0, restarted: 0, concluded: 0, failed: 0, finished: true };

describe('the reconcileRuns run', () => {
  it('restarts a missing run, and skips runs that wait for the relay', async () => {
    const lost = await workspace.begin(definitionId);
    await emptyOutbox();
    const waiting = await workspace.begin(definitionId);

    expect(await reconcile()).toEqual({ ...nothing, checked: 1, restarted: 1 });
    expect(await reconcile()).toEqual(nothing);
    system.startRelay();

    await Promise.all([lost.heard('Welcome to the hall.'), waiting.heard('Welcome to the hall.')]);
    await Promise.all([lost.settled(), waiting.settled()]);
    expect(await lost.carried()).toHaveLength(1);
    expect(await waiting.carried()).toHaveLength(1);
  });

  it('concludes the assignment of a terminated run, and calls a person', async () => {
    const assignment = await workspace.begin(definitionId);
    await assignment.heard('Welcome to the hall.');
    await assignment.settled();
    await system.run('runAssignment', assignment.assignmentUuid).terminate();

    expect((await reconcile()).concluded).toBe(1);

    expect(await assignment.assignment()).toMatchObject({ status: 'failed', outcome: 'run_terminated' });
    expect(await assignment.chat()).toMatchObject({
      needsResponse: true,
      needsResponseReason: 'run_terminated',
    });
    expect((await reconcile()).concluded).toBe(0);
  });

  it('continues after a failed repair and reports it', async () => {
    const assignments = [await workspace.begin(definitionId), await workspace.begin(definitionId)];
    for (const assignment of assignments) {
      await assignment.heard('Welcome to the hall.');
      await assignment.settled();
      await system.run('runAssignment', assignment.assignmentUuid).terminate();
    }
    const [spoiled, other] = assignments as [SmsAssignment, SmsAssignment];
    const mend = await spoil(spoiled.assignmentId);

    expect(await reconcile()).toMatchObject({ concluded: 1, failed: 1 });
    expect((await other.assignment()).status).toBe('failed');
    expect((await spoiled.assignment()).status).toBe('active');

    await mend();
    expect(await reconcile()).toMatchObject({ concluded: 1, failed: 0 });
  });

  it('does not touch running assignments', async () => {
    const assignment = await workspace.begin(definitionId);
    await assignment.heard('Welcome to the hall.');

    expect(await reconcile()).toMatchObject({ restarted: 0, concluded: 0 });

    expect((await assignment.assignment()).status).toBe('active');
  });

  it('has its own schedule', async () => {
    const schedule = await system.client.schedule.getHandle('reconcile-runs').describe();

    expect(schedule.action).toMatchObject({ workflowType: 'reconcileRuns', taskQueue: taskQueues.runs });
    expect(schedule.spec.intervals).toHaveLength(1);
  });
});
