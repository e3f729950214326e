import { MockActivityEnvironment } from '@temporalio/testing';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { labelActivities } from '../../activities/kernel/label-changes.js';
import { type Reconciliation, reconcilerActivities } from '../../activities/kernel/reconciler.js';
import { Database } from '../../db/database.js';
import { chatLabels } from '../../domain/conversations/chat-labels/chat-labels.js';
import type { RevisionTask } from '../../domain/definitions/revision-rules/types.js';
import { fileLabels } from '../../domain/files/labels/file-labels.js';
import { applyLabelChange } from '../../domain/kernel/apply-label-change.js';
import { createLabel, deleteLabel, type LabelKind, updateLabel } from '../../domain/kernel/labels.js';
import { systemClock } from '../../domain/lib/clock.js';
import { memberLabels } from '../../domain/people/member-labels/member-labels.js';
import { connect } from '../support/db/connect.js';
import { emptyOutbox } from '../support/db/empty-outbox.js';
import { explaining } from '../support/db/explained.js';
import { useDatabase } from '../support/db/use-database.js';
import { dyingConnections } from '../support/faults/dying-connections.js';
import { openRuns } from '../support/temporal/open-runs.js';
import { conversationTasks, publishDefinition } from '../support/workspace/definitions.js';
import { createWorkspace, randomTag, type TestWorkspace } from '../support/workspace/factories.js';

/** A million in CI. */
const total = Number(process.env.TEST_ROWS ?? 200_000);

const kinds = [
  ['member', memberLabels],
  ['chat', chatLabels],
  ['file', fileLabels],
] as const;

const testDatabase = useDatabase();
let superuser: pg.Client;
let workspace: TestWorkspace;
let waiting: number;
let talking: number;

beforeAll(async () => {
  superuser = await connect(testDatabase.superuserUrl);
  // Keys of other tables are not looked up for each row.
  await superuser.query('set session_replication_role = replica; set synchronous_commit = off');
  workspace = await createWorkspace(testDatabase.database);
  const wait: RevisionTask = {
    name: 'Until discharged',
    taskType: 'wait',
    configuration: { condition: '"discharged" in member.labels' },
    autoNext: true,
  };
  waiting = await rootOf(wait);
  talking = await rootOf(conversationTasks());
});
beforeEach(() => emptyOutbox(testDatabase));
afterAll(() => superuser.end());

async function rootOf(task: RevisionTask): Promise<number> {
  const { revisionId } = await publishDefinition(workspace, task);
  const { rows } = await superuser.query(
    'select id from workflow_tasks where revision_id = $1 order by id limit 1',
    [revisionId],
  );
  return rows[0].id;
}

const newLabel = (kind: LabelKind) =>
  createLabel(workspace.context(), kind, { name: 'On the ward', slug: `ward-${randomTag()}` });
const rename = (id: number) =>
  updateLabel(workspace.context(), memberLabels, id, { slug: `ward-${randomTag()}` });
const remove = (kind: LabelKind, id: number) => deleteLabel(workspace.context(), kind, id);

/** As many with a label, of which there is nothing else. */
async function link(noun: string, labelId: number, count: number): Promise<void> {
  await superuser.query(
    `insert into ${noun}_label_links (workspace_id, ${noun}_id, ${noun}_label_id)
     select $1, nextval('${noun}s_id_seq'), $2 from generate_series(1, $3::bigint)`,
    [workspace.workspaceId, labelId, count],
  );
}

/** Members with a label, each with an active assignment in a task. @returns its uuids */
async function assign(labelId: number, count: number, taskId: number): Promise<string[]> {
  await superuser.query(
    `with made as (
       insert into assignments (workspace_id, member_id, definition_id, revision_id, chat_id, status)
       select workspace_id, nextval('members_id_seq'), 1, revision_id, nextval('chats_id_seq'), 'active'
       from workflow_tasks, generate_series(1, $1::bigint) where workflow_tasks.id = $2
       returning id, workspace_id, member_id
     ), entered as (
       insert into assignment_tasks (workspace_id, assignment_id, task_id) select workspace_id, id, $2 from made
     )
     insert into member_label_links (workspace_id, member_id, member_label_id)
     select workspace_id, member_id, $3 from made`,
    [count, taskId, labelId],
  );
  const { rows } = await superuser.query(
    `update assignments a set current_task_id = t.id from assignment_tasks t
     where t.assignment_id = a.id and a.current_task_id is null returning a.uuid`,
  );
  return rows.map(({ uuid }) => uuid);
}

const apply = (kind: LabelKind, labelId: number) =>
  applyLabelChange(workspace.context(), kind, { workspaceId: workspace.workspaceId, labelId });

/** Takes what the relay would deliver. */
async function deliver(): Promise<string[]> {
  const { rows } = await superuser.query(
    `delete from outbox where run_type = 'runAssignment' returning subject`,
  );
  return rows.map(({ subject }) => subject);
}

/** Carries out what is left. @returns the runs that it poked */
async function applyAll(kind: LabelKind, labelId: number): Promise<string[]> {
  const poked: string[] = [];
  for (let finished = false; !finished; ) {
    ({ finished } = await apply(kind, labelId));
    poked.push(...(await deliver()));
  }
  return poked;
}

async function count(table: string, where: string, value: number): Promise<number> {
  const { rows } = await superuser.query(`select count(*)::int as found from ${table} where ${where} = $1`, [
    value,
  ]);
  return rows[0].found;
}
const linksOf = (noun: string, labelId: number) => count(`${noun}_label_links`, `${noun}_label_id`, labelId);
const leftOf = (noun: string, labelId: number) =>
  count('label_changes', `kind = '${noun}' and label_id`, labelId);

async function poked(): Promise<string[]> {
  const { rows } = await superuser.query('select run_type || action as poked from outbox order by id');
  return rows.map((row) => row.poked);
}

const onceEach = (subjects: string[], expected: string[]) =>
  expect(subjects.toSorted()).toEqual(expected.toSorted());

describe('the request', () => {
  it('that changes a slug pokes one run, whoever waits', async () => {
    const { id } = await newLabel(memberLabels);
    await assign(id, 3, waiting);

    await rename(id);

    expect(await poked()).toEqual(['applyLabelChangepoke']);
  });

  it('that gives a label the slug it has, or another name, pokes nobody', async () => {
    const { id, slug } = await newLabel(memberLabels);

    await updateLabel(workspace.context(), memberLabels, id, { slug, name: 'Ward' });

    expect(await poked()).toEqual([]);
    expect(await leftOf('member', id)).toBe(0);
  });

  it.each(kinds)('that deletes a %s label pokes one run, and leaves the links to it', async (noun, kind) => {
    const { id } = await newLabel(kind);
    await link(noun, id, 3);

    await remove(kind, id);

    expect(await poked()).toEqual(['applyLabelChangepoke']);
    expect(await linksOf(noun, id)).toBe(3);
  });

  it.each(kinds)('cannot link to a %s label that was deleted, or is another’s', async (noun, kind) => {
    const { id: gone } = await newLabel(kind);
    await remove(kind, gone);
    const other = await createWorkspace(testDatabase.database);
    const { id: foreign } = await createLabel(other.context(), kind, { name: 'Theirs' });

    for (const id of [gone, foreign]) {
      const linked = workspace.within((tx) =>
        tx(`${noun}_label_links`).insert({
          workspace_id: workspace.workspaceId,
          [`${noun}_id`]: 1,
          [`${noun}_label_id`]: id,
        }),
      );
      await expect(linked).rejects.toMatchObject({ code: '23503', table: `${noun}_label_links` });
    }
  });
});

describe('a changed slug', () => {
  it('wakes those that wait once each, a hundred members in a transaction', async () => {
    const { id } = await newLabel(memberLabels);
    await assign(id, 40, talking);
    const expected = await assign(id, 230, waiting);
    await rename(id);

    expect(await apply(memberLabels, id)).toEqual({ visited: 100, woken: 60, finished: false });
    onceEach([...(await deliver()), ...(await applyAll(memberLabels, id))], expected);
    expect(await leftOf('member', id)).toBe(0);
    expect(await linksOf('member', id)).toBe(270);
  });

  it('wakes all once more when it changes again meanwhile', async () => {
    const { id } = await newLabel(memberLabels);
    const expected = await assign(id, 150, waiting);
    await rename(id);
    await apply(memberLabels, id);
    await deliver();

    await rename(id);

    onceEach(await applyAll(memberLabels, id), expected);
  });

  it('is followed by a deletion, which wakes all once more', async () => {
    const { id } = await newLabel(memberLabels);
    const expected = await assign(id, 150, waiting);
    await rename(id);
    await apply(memberLabels, id);
    await deliver();

    await remove(memberLabels, id);

    onceEach(await applyAll(memberLabels, id), expected);
    expect(await linksOf('member', id)).toBe(0);
  });

  it('waits while the relay has a hundred runs of the workspace to wake', async () => {
    const { id } = await newLabel(memberLabels);
    await assign(id, 150, waiting);
    await rename(id);
    await apply(memberLabels, id);

    expect(await apply(memberLabels, id)).toEqual({ visited: 0, woken: 0, finished: false });
    await deliver();
    expect(await apply(memberLabels, id)).toEqual({ visited: 50, woken: 50, finished: true });
  });
});

describe('a deleted label', () => {
  it('wakes those that wait once each, when they have it no more', async () => {
    const { id } = await newLabel(memberLabels);
    const expected = await assign(id, 250, waiting);
    await remove(memberLabels, id);

    await apply(memberLabels, id);

    expect(await linksOf('member', id)).toBe(150);
    onceEach([...(await deliver()), ...(await applyAll(memberLabels, id))], expected);
    expect(await linksOf('member', id)).toBe(0);
  });

  it.each(kinds)('is taken from every %s, whatever others have', async (noun, kind) => {
    const [gone, kept] = [await newLabel(kind), await newLabel(kind)];
    for (const { id } of [gone, kept]) await link(noun, id, 200);
    await remove(kind, gone.id);

    expect(await applyAll(kind, gone.id)).toEqual([]);

    expect([await linksOf(noun, gone.id), await linksOf(noun, kept.id)]).toEqual([0, 200]);
    expect(await leftOf(noun, gone.id)).toBe(0);
  });

  it('leaves nobody out although the connection is lost at any message', async () => {
    const { id } = await newLabel(memberLabels);
    const expected = await assign(id, 2_500, waiting);
    await remove(memberLabels, id);
    await emptyOutbox(testDatabase);
    const dying = dyingConnections();
    onTestFinished(() => dying.restore());
    const woken: string[] = [];
    let crashes = 0;
    for (const when of ['before', 'after'] as const) {
      for (let message = 1, isReached = true; isReached; message += 1) {
        dying.dieAt(message, when);
        const failed = await apply(memberLabels, id).then(
          () => false,
          () => true,
        );
        isReached = dying.sent >= message;
        if (failed) crashes += 1;
        dying.dieAt(0, 'before');
        woken.push(...(await deliver()));
      }
    }
    expect(crashes).toBeGreaterThan(3);
    woken.push(...(await applyAll(memberLabels, id)));

    onceEach(woken, expected);
    expect(await linksOf('member', id)).toBe(0);
  });

  it('is taken away once although two runs overlap', async () => {
    const { id } = await newLabel(memberLabels);
    const expected = await assign(id, 450, waiting);
    await remove(memberLabels, id);
    const woken: string[] = [];
    while ((await leftOf('member', id)) > 0) {
      await Promise.all([apply(memberLabels, id), apply(memberLabels, id)]);
      woken.push(...(await deliver()));
    }

    onceEach(woken, expected);
  });
});

describe('the activity', () => {
  const input = (kind: 'member' | 'chat' | 'file', labelId: number) => ({
    workspaceId: workspace.workspaceId,
    kind,
    labelId,
  });

  it('goes on until nobody is left', async () => {
    const { id } = await newLabel(memberLabels);
    await assign(id, 250, waiting);
    await remove(memberLabels, id);
    const delivering = setInterval(() => void deliver(), 20);
    onTestFinished(() => clearInterval(delivering));
    const { applyLabelChange: activity } = labelActivities(workspace.context());

    expect(await new MockActivityEnvironment().run(activity, input('member', id))).toEqual({
      visited: 250,
      woken: 250,
      finished: true,
    });
  });

  it('ends early, with the rest left, when the worker stops', async () => {
    const { id } = await newLabel(chatLabels);
    await link('chat', id, 250);
    await remove(chatLabels, id);
    const { applyLabelChange: activity } = labelActivities(workspace.context());
    const environment = new MockActivityEnvironment();
    environment.cancel('WORKER_SHUTDOWN');

    expect(await environment.run(activity, input('chat', id))).toEqual({
      visited: 100,
      woken: 0,
      finished: false,
    });
    expect(await linksOf('chat', id)).toBe(150);
  });
});

it('a change whose run is missing is found by the reconciler', async () => {
  const place = await createWorkspace(testDatabase.database);
  const label = await createLabel(place.context(), fileLabels, { name: 'Lost' });
  await deleteLabel(place.context(), fileLabels, label.id);
  const ours = `label-change-${label.uuid}`;
  const { reconcileRuns } = reconcilerActivities({
    db: testDatabase.database,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    runs: openRuns({ statusOf: async (workflowId) => (workflowId === ours ? 'missing' : 'running') }),
  });
  const restarted = async () => {
    const found: Reconciliation = await new MockActivityEnvironment().run(reconcileRuns);
    return found.restarted;
  };

  expect(await restarted()).toBe(0);
  await emptyOutbox(testDatabase);
  expect(await restarted()).toBe(1);

  const { rows } = await superuser.query('select subject, input from outbox where run_type = $1', [
    'applyLabelChange',
  ]);
  expect(rows).toMatchObject([
    { subject: label.uuid, input: { kind: 'file', labelId: label.id, workspaceId: place.workspaceId } },
  ]);
});

describe.each(kinds)('a %s label that very many have', (noun, kind) => {
  let id: number;
  beforeAll(async () => {
    ({ id } = await newLabel(kind));
    await link(noun, id, noun === 'member' ? total : total / 10);
  }, 300_000);

  it('is changed and deleted within a limit of time that all of them would exceed', async () => {
    const database = new Database({ url: testDatabase.appUrl, limits: { statementMs: 100 } });
    onTestFinished(() => database.close());
    const context = { ...workspace.context(), db: database };

    await updateLabel(context, kind, id, { slug: `ward-${randomTag()}` });
    await deleteLabel(context, kind, id);

    expect(await leftOf(noun, id)).toBe(1);
  });

  it('is taken from the next hundred by indexes, however many it was taken from', async () => {
    if (noun === 'member') await assign(id, 200, waiting);
    await superuser.query('analyze assignments');
    await superuser.query(
      `update label_changes set done_to = (select max(${noun}_id) - 150 from ${noun}_label_links) where kind = $2 and label_id = $1`,
      [id, noun],
    );
    const explained = await explaining(
      testDatabase.appUrl,
      workspace.workspaceId,
      (db) =>
        applyLabelChange({ ...workspace.context(), db }, kind, {
          workspaceId: workspace.workspaceId,
          labelId: id,
        }),
      /^(select|delete|insert|update) .*(label|assignments)/s,
    );

    const scans = explained
      .flatMap((one) => one.scans)
      .filter((scan) => /^Seq Scan .*(links|assign)/.test(scan));
    expect(scans).toEqual([]);
    expect(explained.filter(({ rows }) => rows > 1_500)).toEqual([]);
  });
});
