import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reconciliation } from '../../activities/kernel/reconciler.js';
import { createRunInspector } from '../../runtime/worker/run-inspector.js';
import { taskQueues } from '../../workflows/contracts/runs.js';
import { connect, queryOnce } from '../support/db/connect.js';
import { emptyOutbox } from '../support/db/empty-outbox.js';
import { useDatabase } from '../support/db/use-database.js';
import { waitFor } from '../support/lib/wait-for.js';
import type { SmsAssignment } from '../support/system/sms-workspace.js';
import { startSystem } from '../support/system/system.js';
import { useSmsWorkspace } from '../support/system/use-sms-workspace.js';
import { beginInHall, doors } from './small-trees.js';

const testDatabase = useDatabase();
const { system, workspace } = useSmsWorkspace(() => startSystem({ testDatabase, relay: false }));
let definitionId: number;

beforeAll(async () => {
  definitionId = await workspace.publish(doors);
});

const terminate = ({ assignmentUuid }: SmsAssignment) =>
  system.run('runAssignment', assignmentUuid).terminate();

function reconcile(): Promise<Reconciliation> {
  return system.client.workflow.execute('reconcileRuns', {
    workflowId: `reconcile-${randomUUID()}`,
    taskQueue: taskQueues.runs,
  });
}

/** Makes the database reject every change of one assignment. @returns a function that ends this */
async function spoil(assignmentId: number): Promise<() => Promise<void>> {
  const client = await connect(testDatabase.superuserUrl);
  await client.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before update on assignments for each row when (old.id = ${Number(assignmentId)})
      execute function refuse()`);
  return async () => {
    await client.query('drop function refuse cascade');
    await client.end();
  };
}

const nothing: Reconciliation = {
  checked: 0,
  restarted: 0,
  concluded: 0,
  woken: 0,
  failed: 0,
  finished: true,
};

describe('the reconcileRuns run', () => {
  it('restarts a missing run, and skips runs that wait for the relay', async () => {
    const lost = await workspace.begin(definitionId);
    await emptyOutbox(testDatabase);
    const waiting = await workspace.begin(definitionId);

    expect(await reconcile()).toEqual({ ...nothing, checked: 1, restarted: 1 });
    expect(await reconcile()).toEqual(nothing);
    system.startRelay();

    await Promise.all([lost.heard('Welcome to the hall.'), waiting.heard('Welcome to the hall.')]);
    await Promise.all([lost.settled(), waiting.settled()]);
    expect(await lost.carried()).toHaveLength(1);
    expect(await waiting.carried()).toHaveLength(1);
  });

  it('concludes the assignment of a terminated run, and alerts a colleague', async () => {
    const assignment = await beginInHall(workspace, definitionId);
    await assignment.settled();
    await terminate(assignment);

    expect((await reconcile()).concluded).toBe(1);

    expect(await assignment.assignment()).toMatchObject({ status: 'failed', outcome: 'run_terminated' });
    expect(await assignment.chat()).toMatchObject({
      needsResponse: true,
      needsResponseReason: 'run_terminated',
    });
    expect((await reconcile()).concluded).toBe(0);
  });

  it('continues after a failed repair and reports it', async () => {
    const spoiled = await beginInHall(workspace, definitionId);
    const other = await beginInHall(workspace, definitionId);
    for (const assignment of [spoiled, other]) {
      await assignment.settled();
      await terminate(assignment);
    }
    const repair = await spoil(spoiled.assignmentId);

    expect(await reconcile()).toMatchObject({ concluded: 1, failed: 1 });
    expect((await other.assignment()).status).toBe('failed');
    expect((await spoiled.assignment()).status).toBe('active');

    await repair();
    expect(await reconcile()).toMatchObject({ concluded: 1, failed: 0 });
  });

  it('wakes a run that has missed the end of its assignment, and no other', async () => {
    const left = await beginInHall(workspace, definitionId);
    const other = await beginInHall(workspace, definitionId);
    await Promise.all([left.settled(), other.settled()]);
    // An earlier release has left it so.
    await queryOnce(
      testDatabase.superuserUrl,
      `update assignments set status = 'completed', concluded_at = now() - interval '11 minutes'
       where id = ${Number(left.assignmentId)}`,
    );
    let woken = 0;
    await waitFor('visibility has the run, and the net wakes it', async () => {
      await queryOnce(testDatabase.superuserUrl, `delete from identity.walks where name = 'open_runs'`);
      woken += (await reconcile()).woken;
      return woken > 0;
    });

    expect(await system.run('runAssignment', left.assignmentUuid).result()).toMatchObject({
      status: 'completed',
    });
    expect(woken).toBe(1);
    expect((await system.run('runAssignment', other.assignmentUuid).describe()).status.name).toBe('RUNNING');
  });

  it('lists open runs page by page', async () => {
    const begun = new Set<string>();
    for (let count = 0; count < 4; count += 1) {
      begun.add((await workspace.begin(definitionId)).assignmentUuid);
    }
    const { listOpenAssignments } = createRunInspector(system.client, 2);
    const listed = async () => {
      const found: string[] = [];
      let pages = 0;
      let after: string | undefined;
      do {
        const page = await listOpenAssignments(after);
        found.push(...(page.items.get(workspace.workspaceUuid) ?? []));
        after = page.next;
        pages += 1;
      } while (after !== undefined);
      return { found: new Set(found), pages };
    };
    await waitFor('visibility has all', async () => {
      const { found, pages } = await listed();
      return pages >= 3 && [...begun].every((uuid) => found.has(uuid));
    });
  });

  it('pokes no run that has closed', async () => {
    const assignment = await beginInHall(workspace, definitionId);
    await assignment.select('Exit');
    await system.run('runAssignment', assignment.assignmentUuid).result();
    const { poke } = createRunInspector(system.client);
    expect(await poke(`assignment-${assignment.assignmentUuid}`)).toBe(false);
    expect(await poke(`assignment-${randomUUID()}`)).toBe(false);
  });

  it('does not touch running assignments', async () => {
    const assignment = await beginInHall(workspace, definitionId);
    await assignment.settled();

    expect(await reconcile()).toMatchObject({ restarted: 0, concluded: 0 });

    expect((await assignment.assignment()).status).toBe('active');
  });

  it('has its own schedule', async () => {
    const schedule = await system.client.schedule.getHandle('reconcile-runs').describe();

    expect(schedule.action).toMatchObject({ workflowType: 'reconcileRuns', taskQueue: taskQueues.runs });
    expect(schedule.spec.intervals).toHaveLength(1);
  });
});
