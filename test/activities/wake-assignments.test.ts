import { MockActivityEnvironment } from '@temporalio/testing';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { wakingActivities } from '../../activities/assignments/wake-assignments.js';
import { reconcilerActivities } from '../../activities/kernel/reconciler.js';
import { unwokenDefinitions, wakeHeldAssignments } from '../../domain/assignments/wake-held-assignments.js';
import { holdWorkflowDefinition } from '../../domain/definitions/workflow-definitions/hold-workflow-definition.js';
import { resumeWorkflowDefinition } from '../../domain/definitions/workflow-definitions/resume-workflow-definition.js';
import { systemClock } from '../../domain/lib/clock.js';
import { connect } from '../support/db/connect.js';
import { emptyOutbox } from '../support/db/empty-outbox.js';
import { explaining } from '../support/db/explained.js';
import { fillTables } from '../support/db/fill-tables.js';
import { useDatabase } from '../support/db/use-database.js';
import { dyingConnections } from '../support/faults/dying-connections.js';
import { openRuns } from '../support/temporal/open-runs.js';
import { conversationTasks, publishDefinition } from '../support/workspace/definitions.js';
import { createWorkspace, type TestWorkspace } from '../support/workspace/factories.js';

/** A million in CI. */
const total = Number(process.env.TEST_ROWS ?? 20_000);

const testDatabase = useDatabase();
let superuser: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  superuser = await connect(testDatabase.superuserUrl);
  workspace = await createWorkspace(testDatabase.database);
});
afterAll(() => superuser.end());

type Store = (work: () => Promise<unknown>) => Promise<unknown>;
/** Keys of other tables are not looked up for each row. */
const storeFew: Store = async (work) => {
  await superuser.query('set session_replication_role = replica');
  await work();
  await superuser.query('set session_replication_role = origin');
};
const storeMany: Store = (work) => fillTables(superuser, ['assignments', 'held_assignments'], work);

/** A resumed definition with active assignments that have met its hold: as the steps of their runs leave them. */
async function makeResting(
  place: TestWorkspace,
  count: number,
  store = storeFew,
): Promise<{ definitionId: number; uuid: string }> {
  const { workflowId, revisionId } = await publishDefinition(place, conversationTasks());
  await holdWorkflowDefinition(place.context(), workflowId, null);
  await store(() =>
    superuser.query(
      `with made as (
         insert into assignments (workspace_id, member_id, definition_id, revision_id, chat_id, status)
         select $1::bigint, $2, $3::bigint, $4, nextval('chats_id_seq'), 'active' from generate_series(1, $5::bigint)
         returning id
       )
       insert into held_assignments (workspace_id, definition_id, assignment_id) select $1::bigint, $3::bigint, id from made`,
      [place.workspaceId, place.member.memberId, workflowId, revisionId, count],
    ),
  );
  const { uuid } = await resumeWorkflowDefinition(place.context(), workflowId);
  await emptyOutbox(testDatabase);
  return { definitionId: workflowId, uuid };
}

const wake = (definitionId: number) =>
  wakeHeldAssignments(workspace.context(), { workspaceId: workspace.workspaceId, definitionId });

/** Takes what the relay would deliver. */
async function deliver(): Promise<string[]> {
  const { rows } = await superuser.query(
    `delete from outbox where run_type = 'runAssignment' returning subject`,
  );
  return rows.map(({ subject }) => subject);
}

async function leftOf(definitionId: number): Promise<number> {
  const { rows } = await superuser.query(
    'select count(*)::int as left from held_assignments where definition_id = $1',
    [definitionId],
  );
  return rows[0].left;
}

const expectOnceEach = (subjects: string[], count: number) => {
  expect(subjects).toHaveLength(count);
  expect(new Set(subjects).size).toBe(count);
};

describe('waking the assignments of a resumed workflow', () => {
  it('pokes each once, a hundred in a transaction', async () => {
    const { definitionId } = await makeResting(workspace, 1_050);
    const poked: string[] = [];
    for (let finished = false; !finished; ) {
      const batch = await wake(definitionId);
      const delivered = await deliver();
      expect(delivered).toHaveLength(batch.woken);
      expect(batch.woken).toBeLessThanOrEqual(100);
      poked.push(...delivered);
      finished = batch.finished;
    }

    expectOnceEach(poked, 1_050);
    expect(await leftOf(definitionId)).toBe(0);
  });

  it('waits while the relay has a hundred entries of the workspace to deliver', async () => {
    const { definitionId } = await makeResting(workspace, 250);

    expect(await wake(definitionId)).toEqual({ woken: 100, finished: false });
    expect(await wake(definitionId)).toEqual({ woken: 0, finished: false });
    await deliver();
    expect(await wake(definitionId)).toEqual({ woken: 100, finished: false });
    await deliver();
    expect(await wake(definitionId)).toEqual({ woken: 50, finished: true });
    await deliver();
  });

  it('pokes each once although the connection is lost at any message', async () => {
    const { definitionId } = await makeResting(workspace, 2_000);
    const dying = dyingConnections();
    onTestFinished(() => dying.restore());
    const poked: string[] = [];
    let crashes = 0;
    for (const when of ['before', 'after'] as const) {
      for (let message = 1, isReached = true; isReached; message += 1) {
        dying.dieAt(message, when);
        const failed = await wake(definitionId).then(
          () => false,
          () => true,
        );
        isReached = dying.sent >= message;
        if (failed) crashes += 1;
        dying.dieAt(0, 'before');
        poked.push(...(await deliver()));
      }
    }
    expect(crashes).toBeGreaterThan(3);
    for (;;) {
      const { finished } = await wake(definitionId);
      poked.push(...(await deliver()));
      if (finished) break;
    }

    expectOnceEach(poked, 2_000);
  });

  it('shares the work between two that overlap', async () => {
    const { definitionId } = await makeResting(workspace, 950);
    const poked: string[] = [];
    while ((await leftOf(definitionId)) > 0) {
      await Promise.all([wake(definitionId), wake(definitionId)]);
      poked.push(...(await deliver()));
    }

    expectOnceEach(poked, 950);
  });

  it('stops when the workflow is held again, and continues after the next resumption', async () => {
    const { definitionId } = await makeResting(workspace, 250);
    await wake(definitionId);
    await deliver();
    await holdWorkflowDefinition(workspace.context(), definitionId, null);

    expect(await wake(definitionId)).toEqual({ woken: 0, finished: true });
    expect(await leftOf(definitionId)).toBe(150);

    await resumeWorkflowDefinition(workspace.context(), definitionId);
    await wake(definitionId);
    await deliver();
    expect(await wake(definitionId)).toEqual({ woken: 50, finished: true });
    await deliver();
  });

  it('is continued by the activity until none is left', async () => {
    const { definitionId } = await makeResting(workspace, 250);
    const context = workspace.context();
    const { wakeAssignments } = wakingActivities(context);
    const delivering = setInterval(() => void deliver(), 20);
    onTestFinished(() => clearInterval(delivering));

    const input = { workspaceId: workspace.workspaceId, definitionId };
    expect(await new MockActivityEnvironment().run(wakeAssignments, input)).toEqual({
      woken: 250,
      finished: true,
    });
  });

  it('ends early, with the rest left, when the worker stops', async () => {
    const { definitionId } = await makeResting(workspace, 250);
    const { wakeAssignments } = wakingActivities(workspace.context());
    const environment = new MockActivityEnvironment();
    environment.cancel('WORKER_SHUTDOWN');

    const input = { workspaceId: workspace.workspaceId, definitionId };
    expect(await environment.run(wakeAssignments, input)).toEqual({ woken: 100, finished: false });
    expect(await leftOf(definitionId)).toBe(150);
    await deliver();
  });

  it('is started again by the reconciler if its run is missing', async () => {
    const place = await createWorkspace(testDatabase.database);
    const { definitionId, uuid } = await makeResting(place, 1);
    const held = await makeResting(place, 1);
    await holdWorkflowDefinition(place.context(), held.definitionId, null);
    const isOurs = (workflowId: string) =>
      workflowId === `wake-${uuid}` || workflowId === `wake-${held.uuid}`;
    const missing: string[] = [];
    const { reconcileRuns } = reconcilerActivities({
      db: testDatabase.database,
      clock: systemClock,
      logger: pino({ level: 'silent' }),
      runs: openRuns({
        statusOf: async (workflowId) => {
          if (!isOurs(workflowId)) return 'running';
          missing.push(workflowId);
          return 'missing';
        },
      }),
    });

    expect(await new MockActivityEnvironment().run(reconcileRuns)).toMatchObject({ restarted: 1 });

    expect(missing).toEqual([`wake-${uuid}`]);
    const { rows } = await superuser.query(
      `select input from outbox where run_type = 'wakeAssignments' and subject = $1`,
      [uuid],
    );
    expect(rows).toMatchObject([{ input: { definitionId, workspaceId: place.workspaceId } }]);
  });
});

describe.each(['never analysed', 'analysed'])('waking among many rows, %s', (state) => {
  beforeAll(async () => {
    if (state === 'analysed') await superuser.query('analyze');
    else await makeResting(await createWorkspace(testDatabase.database), total, storeMany);
  }, 300_000);

  it('reads a batch by indexes', async () => {
    const { definitionId } = await makeResting(workspace, 200);
    const { workspaceId } = workspace;
    const explained = await explaining(
      testDatabase.appUrl,
      workspaceId,
      (db) => wakeHeldAssignments({ ...workspace.context(), db }, { workspaceId, definitionId }),
      /^(select|delete|insert) .*\b(held_assignments|outbox)\b/s,
    );

    const scans = explained.flatMap((one) => one.scans);
    expect(scans).toContain('Index Scan held_assignments_of_definition');
    expect(scans.filter((scan) => /^Seq Scan (held_assignments|outbox|assignments)/.test(scan))).toEqual([]);
    expect(explained.reduce((sum, one) => sum + one.rows, 0)).toBeLessThanOrEqual(2_000);
  });

  it('finds the definitions to wake by indexes', async () => {
    const { workspaceId } = workspace;
    const [explained] = await explaining(
      testDatabase.appUrl,
      workspaceId,
      (db) => unwokenDefinitions.page({ ...workspace.context(), db }, workspaceId),
      /^select .*\bheld_assignments\b/s,
    );

    expect(explained?.scans.filter((scan) => !/^Index (Only )?Scan /.test(scan))).toEqual([]);
    expect(explained?.rows).toBeLessThanOrEqual(100);
  });
});
