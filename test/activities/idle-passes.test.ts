import { MockActivityEnvironment } from '@temporalio/testing';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActivityDependencies, createActivities } from '../../activities/index.js';
import { type Reconciliation, reconcilerActivities } from '../../activities/kernel/reconciler.js';
import { systemClock } from '../../domain/lib/clock.js';
import * as scheduledRuns from '../../workflows/schedules.js';
import { stageAssignment } from '../support/chats/staged-assignment.js';
import { connect } from '../support/db/connect.js';
import { emptyOutbox } from '../support/db/empty-outbox.js';
import { statementsOf } from '../support/db/statements-of.js';
import { useDatabase } from '../support/db/use-database.js';
import { processorMsOf } from '../support/lib/processor-ms.js';
import { openRuns } from '../support/temporal/open-runs.js';
import { conversationTasks, publishDefinition } from '../support/workspace/definitions.js';
import { createWorkspace } from '../support/workspace/factories.js';

const idle = 5_000;
const open = 100_000;

const testDatabase = useDatabase();
let superuser: pg.Client;

beforeAll(async () => {
  superuser = await connect(testDatabase.superuserUrl);
  await superuser.query(
    `with made as (
       insert into identity.workspaces (name, slug, default_region, timezone, chat_retention_days,
         file_retention_days, recording_retention_days, handoff_notices)
       select 'Workspace', 'workspace-' || gen_random_uuid(), 'US', 'UTC', 30, 30, 30,
         '{"channels": ["email"], "memberRoleIds": [], "memberIds": [], "reasons": [], "everyMinutes": 15}'
       from generate_series(1, $1::int) returning id
     ), told as (
       insert into handoff_tellings (workspace_id, looked_until, events_until) select id, now(), now() from made
     )
     insert into audit_events (workspace_id, action, created_at) select id, 'workspace:created', now() from made`,
    [idle],
  );
});
afterAll(() => superuser.end());

/** A Temporal that counts what it is asked. */
function countingRuns(openUuids: readonly string[] = [], workspaceUuid = '') {
  const asked = { requests: 0 };
  const count = <Input extends unknown[], Result>(answer: (...input: Input) => Result) => {
    return async (...input: Input) => {
      asked.requests += 1;
      return answer(...input);
    };
  };
  const inspector = openRuns({
    statusOf: count(() => 'running' as const),
    listClosedAssignments: count(() => new Map()),
    listOpenAssignments: count((after?: string) => {
      const from = Number(after ?? 0);
      const some = openUuids.slice(from, from + 1_000);
      const items = new Map(some.length === 0 ? [] : [[workspaceUuid, some]]);
      return from + 1_000 >= openUuids.length ? { items } : { items, next: String(from + 1_000) };
    }),
    poke: count(() => true),
  });
  return { asked, inspector };
}

const carrier = {
  account: 'AC1',
  listInbound: async () => ({ messages: [] }),
  listBilled: async () => ({ messages: [] }),
};

function passes(runs = countingRuns().inspector) {
  const dependencies = {
    db: testDatabase.database,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    runs,
    carrier,
    domainRecords: { textsOf: async () => ({ kind: 'none' }) },
  };
  return createActivities(dependencies as unknown as ActivityDependencies);
}

/** The runs of all schedules. */
const passNames = Object.keys(scheduledRuns) as (keyof typeof scheduledRuns)[];

describe(`a pass over ${idle} workspaces in which nothing is to be done`, () => {
  it.each(passNames)('%s takes few statements and no time, and one activity', async (pass) => {
    const activity = passes()[pass] as (input: object) => Promise<object>;
    const input = pass === 'receiveMissedMessages' ? [{}] : [];
    let found: unknown;
    let took = 0;
    const statements = await statementsOf(async () => {
      took = await processorMsOf(async () => {
        found = await new MockActivityEnvironment().run(activity, ...(input as [object]));
      });
    });
    expect(statements.length).toBeLessThanOrEqual(12);
    expect(took).toBeLessThan(1_000);
    expect(found).not.toHaveProperty('next');
    expect({ failed: 0, ...(found as object) }).toMatchObject({ failed: 0 });
  });
});

describe('a pass whose slice ends', () => {
  it.each<['recheckSiteDomains' | 'startDueCrawls' | 'receiveMissedMessages' | 'storeTextPrices', unknown]>([
    ['recheckSiteDomains', true],
    ['startDueCrawls', { left: 500 }],
    ['receiveMissedMessages', { from: expect.any(Number), isHeld: false }],
    ['storeTextPrices', { from: expect.any(Number) }],
  ])('%s says where it stands, and goes on there', async (pass, next) => {
    const activity = passes()[pass] as (input: object) => Promise<{ next?: object }>;
    const given = pass === 'receiveMissedMessages' ? {} : undefined;
    const stopped = new MockActivityEnvironment();
    stopped.cancel();

    const found = (await stopped.run(activity, given as object)) as { next?: object };

    expect(found.next).toEqual(next);
    const from = typeof found.next === 'object' ? found.next : given;
    expect(await new MockActivityEnvironment().run(activity, from as object)).not.toHaveProperty('next');
  });
});

describe(`a pass over ${open} open assignments`, () => {
  let uuids: string[];
  let workspaceUuid: string;
  /** The first of the walk. */
  let lost: string;

  beforeAll(async () => {
    const first = await stageAssignment(await createWorkspace(testDatabase.database), conversationTasks());
    lost = (await first.assignment()).uuid;
    const workspace = await createWorkspace(testDatabase.database);
    const { workflowId, revisionId } = await publishDefinition(workspace, conversationTasks());
    await superuser.query('set session_replication_role = replica');
    const { rows } = await superuser.query(
      `insert into assignments (workspace_id, member_id, definition_id, revision_id, chat_id, status)
       select $1::bigint, $2, $3::bigint, $4, nextval('chats_id_seq'), 'active' from generate_series(1, $5::bigint)
       returning uuid`,
      [workspace.workspaceId, workspace.member.memberId, workflowId, revisionId, open],
    );
    await superuser.query('set session_replication_role = origin');
    uuids = rows.map(({ uuid }) => uuid);
    const found = await testDatabase.database.identity.workspaces.findById(workspace.workspaceId);
    workspaceUuid = found?.uuid ?? '';
    await emptyOutbox(testDatabase);
  }, 120_000);

  it('asks Temporal at most a hundred times', async () => {
    const { asked, inspector } = countingRuns(uuids, workspaceUuid);
    await testDatabase.database.identity.walks.saveLookedUntil('open_runs', new Date(0));

    const found = await new MockActivityEnvironment().run(passes(inspector).reconcileRuns);

    expect(found).toMatchObject({ failed: 0, finished: true });
    expect(asked.requests).toBeLessThanOrEqual(100);
  });

  it('looks at all of them, at a pace, from the pass after one that finds a run lost', async () => {
    const looked: string[] = [];
    const { inspector } = countingRuns();
    const runs = {
      ...inspector,
      async statusOf(workflowId: string) {
        looked.push(workflowId);
        return workflowId.endsWith(lost) ? ('missing' as const) : ('running' as const);
      },
    };
    const { walks } = testDatabase.database.identity;
    await walks.savePlace('reconcile_assignments', undefined);
    const pass = () =>
      new MockActivityEnvironment().run(
        reconcilerActivities(
          { db: testDatabase.database, clock: systemClock, logger: pino({ level: 'silent' }), runs },
          { sliceMs: 3_000 },
        ).reconcileRuns,
      );

    await pass();
    const few = looked.length;
    await pass();

    expect(few).toBeLessThanOrEqual(100);
    expect(looked.length - few).toBeGreaterThan(50);
    expect(looked.length - few).toBeLessThan(1_000);
  });

  it('leaves those terminated ones to the walk for which a slice has no time', async () => {
    const looked: string[] = [];
    const runs = {
      ...countingRuns().inspector,
      listClosedAssignments: async () => new Map([[workspaceUuid, uuids.slice(0, 250)]]),
      async statusOf(workflowId: string) {
        looked.push(workflowId);
        return 'running' as const;
      },
    };
    const { walks } = testDatabase.database.identity;
    await walks.saveLookedUntil('reconcile_assignments', new Date());
    const { reconcileRuns } = reconcilerActivities(
      { db: testDatabase.database, clock: systemClock, logger: pino({ level: 'silent' }), runs },
      { sliceMs: 0 },
    );

    const found: Reconciliation = await new MockActivityEnvironment().run(reconcileRuns);

    expect(found).toMatchObject({ finished: false, next: {} });
    expect(looked.length).toBeLessThan(200);
    expect(await walks.lookedUntil('reconcile_assignments')).toEqual(new Date(0));
  });

  it('looks at all of them once a day', async () => {
    const { asked, inspector } = countingRuns();
    const dayAgo = new Date(Date.now() - 25 * 3_600_000);
    await testDatabase.database.identity.walks.saveLookedUntil('reconcile_assignments', dayAgo);
    const activities = reconcilerActivities(
      { db: testDatabase.database, clock: systemClock, logger: pino({ level: 'silent' }), runs: inspector },
      { sliceMs: 2_000 },
    );

    await new MockActivityEnvironment().run(activities.reconcileRuns);

    expect(asked.requests).toBeGreaterThan(60);
  });
});
