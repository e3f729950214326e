import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reconcilerActivities } from '../../../activities/kernel/reconciler.js';
import { retentionActivities } from '../../../activities/kernel/retention.js';
import { Database } from '../../../db/database.js';
import {
  countOpenImports,
  findRequestedImport,
  removeImportsEndedBefore,
  selectOpenImports,
} from '../../../db/people/member-imports.js';
import type { Tx } from '../../../db/tx.js';
import { createLabel } from '../../../domain/kernel/labels.js';
import { observeOccurrences } from '../../../domain/kernel/occurrences.js';
import { cancelMemberImport } from '../../../domain/people/imports/cancel-import.js';
import { followMemberImport, getMemberImport } from '../../../domain/people/imports/follow-import.js';
import { importLimits } from '../../../domain/people/imports/limits.js';
import { openImports } from '../../../domain/people/imports/reconcile-imports.js';
import { memberLabels } from '../../../domain/people/member-labels/member-labels.js';
import { importMembers } from '../../../domain/people/members/transfer/import-members.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { StorageBusy } from '../../../providers/storage/storage.js';
import { connect } from '../../support/db/connect.js';
import { emptyOutbox } from '../../support/db/empty-outbox.js';
import { explaining } from '../../support/db/explained.js';
import { fillTables } from '../../support/db/fill-tables.js';
import { hours } from '../../support/lib/moved-clock.js';
import { openRuns } from '../../support/temporal/open-runs.js';
import { addMember, createWorkspace, randomTag } from '../../support/workspace/factories.js';
import { useImports } from './use-imports.js';

const {
  stage,
  asSuperuser,
  storage,
  clock,
  connections,
  place,
  permissions,
  contextOf,
  request,
  attempt,
  finish,
  find,
  csvOf,
  landed,
  objectsOf,
} = useImports();

describe('an import by a run', () => {
  it('has the result that the import of a request has', async () => {
    const tag = randomTag();
    const label = await createLabel(stage.workspace.context(), memberLabels, { name: tag, color: '#336699' });
    const fields = [{ slug: 'colour', name: 'Colour', fieldType: 'text' as const }];
    const type = { name: tag, slug: `type-${tag}`, isCollection: false, fields };
    await createDataType(stage.workspace.context(), type);
    const csvWith = (prefix: string) =>
      [
        `name,external_id,labels,form.${type.slug}.colour,email,nobody`,
        ...Array.from({ length: 120 }, (_, at) => `Row ${at},${prefix}-${at},${label.slug},blue,,`),
        `Twice,${prefix}-3,${label.slug},red,,`,
        `No label,${prefix}-x,nowhere,red,,`,
        `No address,${prefix}-y,,red,not an address,`,
        'Nobody,,,,,',
      ].join('\n');

    const asked = await request(csvWith(`${tag}a`));
    expect(await finish(asked.id, { sliceMs: 0 })).toEqual({
      kind: 'ended',
      outcome: 'completed',
      done: 124,
      total: 124,
    });
    const lines: unknown[] = [];
    for await (const line of followMemberImport(contextOf(), asked.uuid, new AbortController().signal)) {
      lines.push(line);
    }
    const spooled = await storage.receive(
      (async function* () {
        yield Buffer.from(csvWith(`${tag}b`));
      })(),
      { maxBytes: 1_000_000 },
    );
    const streamed: unknown[] = [];
    const { signal } = new AbortController();
    for await (const line of importMembers(contextOf(), { path: spooled.path, signal })) streamed.push(line);
    const updatedMembers = [expect.any(Number)];
    const createdMembers = Array.from({ length: 120 }, () => expect.any(Number));
    expect(lines).toEqual([{ ...(streamed.at(-1) as object), createdMembers, updatedMembers }]);
    expect(lines[0]).toMatchObject({
      total: 124,
      created: 120,
      updated: 1,
      failed: 3,
      failedRows: [123, 124, 125],
    });
    expect(await landed(`${tag}a`)).toBe(120);
  });

  it('keeps its file until it has ended, and knows nothing of it a day later', async () => {
    const asked = await request(csvOf(randomTag(), 3));
    expect(await objectsOf(asked.uuid)).toEqual(['stored']);
    await finish(asked.id);
    expect(await find(asked.uuid)).toMatchObject({ state: 'completed', objectId: null });
    const doomed = await asSuperuser(
      `select from stored_objects where id = ${asked.objectId} and state = 'doomed'`,
    );
    expect(doomed).toHaveLength(1);
    const { forgetOldKeys } = retentionActivities({
      ...{ db: stage.database.database, clock, logger: pino({ level: 'silent' }) },
    });
    const forget = () => new MockActivityEnvironment().run(forgetOldKeys);
    expect(await forget()).toEqual({ keys: 0, imports: 0, failed: 0 });
    expect(await find(asked.uuid)).toMatchObject({ state: 'completed' });
    clock.advance(hours(25));
    expect(await forget()).toEqual({ keys: 0, imports: 1, failed: 0 });
    await expect(find(asked.uuid)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await attempt(asked.id)).toMatchObject({ kind: 'ended', outcome: 'gone' });
  });

  it.each([
    ['a column that is not known', 'first\n1', 'csv_columns_refused'],
    ['too many rows', csvOf('many', 10_001), 'csv_too_many_rows'],
  ])('is refused at once for %s, and keeps nothing', async (_what, csv, code) => {
    const before = await asSuperuser('select id from stored_objects');
    await expect(request(csv)).rejects.toMatchObject({ code });
    expect(await asSuperuser('select id from stored_objects')).toHaveLength(before.length);
    expect(await asSuperuser('select id from member_imports')).toEqual([]);
  });

  it('is refused to who may not write members', async () => {
    const reader = await addMember(stage.workspace, { permissions: ['members:read'] });
    await expect(request(csvOf('no', 1), { by: contextOf(reader) })).rejects.toMatchObject({
      kind: 'forbidden',
    });
  });

  it('is one for all requests with the same uuid, also at once', async () => {
    const tag = randomTag();
    const requestUuid = randomUUID();
    const made = await Promise.all(Array.from({ length: 3 }, () => request(csvOf(tag, 5), { requestUuid })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await request(csvOf(tag, 5), { requestUuid })).toMatchObject({ id: made[0]?.id });
    const kept = await asSuperuser(
      `select state, count(*)::integer as count from stored_objects where mime_type = 'text/csv'
       and created_by_member_id = ${stage.workspace.admin.memberId} and state <> 'doomed' group by state`,
    );
    expect(kept).toEqual([{ state: 'stored', count: 1 }]);
    const id = made[0]?.id ?? 0;
    expect(await finish(id)).toMatchObject({ outcome: 'completed', done: 5 });
    expect(await landed(tag)).toBe(5);
  });

  it('is found by who has asked for it only', async () => {
    const asked = await request(csvOf(randomTag(), 1));
    const colleague = await addMember(stage.workspace, { permissions });
    const other = await createWorkspace(stage.database.database);
    for (const by of [contextOf(colleague), other.context()]) {
      await expect(getMemberImport(by, asked.uuid)).rejects.toMatchObject({ kind: 'not_found' });
      await expect(cancelMemberImport(by, asked.uuid)).rejects.toMatchObject({ kind: 'not_found' });
    }
    await finish(asked.id);
  });

  it('waits for others of the member, and of the workspace', async () => {
    const member = await addMember(stage.workspace, { permissions });
    const by = contextOf(member);
    const open = [];
    for (let count = 0; count < importLimits.openOfMember; count += 1)
      open.push(await request(csvOf('open', 1), { by }));
    const refused = { code: 'too_many_imports', kind: 'rate_limited' };
    await expect(request(csvOf('open', 1), { by })).rejects.toMatchObject(refused);
    const colleagues = await Promise.all([0, 1, 2].map(() => addMember(stage.workspace, { permissions })));
    const asked = await Promise.allSettled(
      colleagues.flatMap((one) => [0, 1, 2].map(() => request(csvOf('open', 1), { by: contextOf(one) }))),
    );
    const made = asked.filter(({ status }) => status === 'fulfilled');
    expect(made).toHaveLength(importLimits.openOfWorkspace - open.length);
    await cancelMemberImport(by, open[0]?.uuid ?? '');
    await request(csvOf('open', 1), { by });
  });

  it('takes a file at the limits', { timeout: 240_000 }, async () => {
    const tag = randomTag();
    const long = 'x'.repeat(980);
    const lines = Array.from({ length: 10_000 }, (_, at) => `Row ${at},${tag}-${at},${long}`);
    const csv = `name,external_id,description\n${lines.join('\n')}\n`;
    expect(csv.length).toBeGreaterThan(9_900_000);
    const asked = await request(csv);
    // Each step reads the file anew: on a busy machine, many short ones would take minutes.
    const first = await attempt(asked.id, { sliceMs: 0 });
    expect(first).not.toMatchObject({ kind: 'ended' });
    expect(await attempt(asked.id, { sliceMs: 600_000 })).toMatchObject({ kind: 'ended', done: 10_000 });
    expect(await find(asked.uuid)).toMatchObject({ state: 'completed', created: 10_000, errors: [] });
    expect(await landed(tag)).toBe(10_000);
  });

  it('reports at most a thousand errors, and the numbers of all failed rows', async () => {
    const rows = Array.from({ length: 1_300 }, () => 'Nobody,');
    const asked = await request(`name,external_id\n${rows.join('\n')}`);
    await finish(asked.id, { sliceMs: 0 });
    const { errors, failedRows, state } = await find(asked.uuid);
    expect({ state, errors: errors.length, failed: failedRows.length }).toEqual({
      ...{ state: 'completed', errors: 1_000, failed: 1_300 },
    });
    expect(errors.at(-1)).toContain('Row 1001:');
  });
});

describe.each(['before', 'after'] as const)('a connection lost %s each statement of an import', (when) => {
  it('loses no row, and writes none twice', { timeout: 240_000 }, async () => {
    let lost = true;
    for (let statement = 1; lost; statement += 1) {
      const tag = randomTag();
      const asked = await request(csvOf(tag, 60));
      const db = new Database({ url: stage.database.appUrl });
      connections.dieAt(statement, when);
      const first = await attempt(asked.id, { db, sliceMs: 60_000 }).catch(() => undefined);
      lost = connections.sent >= statement;
      connections.dieAt(0, when);
      await db.close();
      if (!lost) expect(first).toMatchObject({ kind: 'ended', outcome: 'completed' });

      expect([0, 50, 60]).toContain(await landed(tag));
      expect(await landed(tag)).toBe((await find(asked.uuid)).rowsDone);
      expect(await finish(asked.id)).toMatchObject({ outcome: 'completed', done: 60 });
      expect(await find(asked.uuid)).toMatchObject({ created: 60, updated: 0, unchanged: 0, failedRows: [] });
      expect(await landed(tag)).toBe(60);
    }
  });

  it('loses no request for one that is answered, and leaves no file behind', {
    timeout: 240_000,
  }, async () => {
    let lost = true;
    for (let statement = 1; lost; statement += 1) {
      const db = new Database({ url: stage.database.appUrl });
      const requestUuid = randomUUID();
      connections.dieAt(statement, when);
      await request(csvOf(randomTag(), 1), { by: { ...contextOf(), db }, requestUuid }).catch(
        () => undefined,
      );
      lost = connections.sent >= statement;
      connections.dieAt(0, when);
      await db.close();
      const asked = await request(csvOf(randomTag(), 1), { requestUuid });
      expect(await objectsOf(asked.uuid)).toEqual(['stored']);
      expect(await asSuperuser(`select id from outbox where subject = '${asked.uuid}'`)).toHaveLength(1);
      expect(await finish(asked.id)).toMatchObject({ outcome: 'completed', done: 1 });
    }
    // What was given up is pending, until its collector comes.
    const referred = 'select from member_imports i where i.object_id = o.id';
    const stored = `select id from stored_objects o where mime_type = 'text/csv' and state = 'stored'`;
    expect(await asSuperuser(`${stored} and not exists (${referred})`)).toEqual([]);
  });
});

describe('an attempt at the rows of an import', () => {
  it('that is late writes nothing that another has written', async () => {
    const tag = randomTag();
    const asked = await request(csvOf(tag, 500));
    const steps = await Promise.all([0, 1, 2].map(() => finish(asked.id)));
    for (const step of steps) expect(step).toMatchObject({ outcome: 'completed', done: 500 });
    expect(await find(asked.uuid)).toMatchObject({ created: 500, unchanged: 0, failedRows: [] });
    expect(await landed(tag)).toBe(500);
  });

  it('that fails again and again ends the import, and operators are told', async () => {
    const told: unknown[] = [];
    onTestFinished(observeOccurrences((happening) => told.push(happening)));
    const asked = await request(csvOf(randomTag(), 3));
    const through = { get: storage.get.bind(storage), receive: () => Promise.reject(new Error('crashed')) };
    for (let count = 0; count < importLimits.attempts; count += 1) {
      await expect(attempt(asked.id, { through })).rejects.toThrow('crashed');
    }
    expect(await attempt(asked.id)).toMatchObject({ outcome: 'failed', reason: 'crashed', done: 0 });
    expect(told).toEqual([{ kind: 'import_failed', workspaceId: place().workspaceId, reason: 'crashed' }]);
  });

  it('waits for a storage that is away, as long as it takes', async () => {
    const asked = await request(csvOf(randomTag(), 3));
    const through = {
      receive: storage.receive.bind(storage),
      get: () => Promise.reject(new StorageBusy('busy')),
    };
    for (let count = 0; count < importLimits.attempts + 2; count += 1) {
      await expect(attempt(asked.id, { through })).rejects.toMatchObject({ type: 'storage_busy' });
    }
    expect(await attempt(asked.id, { sliceMs: 60_000 })).toMatchObject({ outcome: 'completed', done: 3 });
  });

  it('ends the import if its file is gone', async () => {
    const asked = await request(csvOf(randomTag(), 3));
    const [object] = await asSuperuser<{ uuid: string }>(
      `select uuid from stored_objects where id = ${asked.objectId}`,
    );
    await storage.delete(`${place().workspaceUuid}/${object?.uuid}`);
    expect(await attempt(asked.id)).toMatchObject({ outcome: 'failed', reason: 'file_missing' });
  });

  it('ends an import that has taken longer than a day', async () => {
    const asked = await request(csvOf(randomTag(), 100));
    await attempt(asked.id);
    clock.advance(hours(24));
    expect(await attempt(asked.id)).toMatchObject({ outcome: 'failed', reason: 'expired', done: 50 });
    const following = followMemberImport(contextOf(), asked.uuid, new AbortController().signal).next();
    await expect(following).rejects.toMatchObject({ code: 'import_failed', kind: 'failed' });
  });
});

it('an import whose run is lost gets another', async () => {
  const asked = await request(csvOf(randomTag(), 1));
  const context = { db: stage.database.database, clock };
  const { workspaceId } = place();
  expect(await openImports.page(context, workspaceId)).toEqual({ items: [], next: undefined });
  await emptyOutbox(stage.database);
  const open = { workspaceId, id: asked.id, uuid: asked.uuid };
  expect(await openImports.page(context, workspaceId)).toEqual({ items: [open], next: undefined });
  const { reconcileRuns } = reconcilerActivities({
    ...context,
    logger: pino({ level: 'silent' }),
    runs: openRuns({ statusOf: async () => 'missing' }),
  });
  expect(await new MockActivityEnvironment().run(reconcileRuns)).toMatchObject({ failed: 0 });
  const [poke] = await asSuperuser<object>(
    `select run_type, action, input from outbox where subject = '${asked.uuid}'`,
  );
  expect(poke).toMatchObject({ run_type: 'importMembers', action: 'poke' });
  await finish(asked.id);
  await emptyOutbox(stage.database);
  await openImports.repair(context, open, 'missing');
  expect(await asSuperuser('select id from outbox')).toEqual([]);
});

it('imports are found by indexes among many that have ended', { timeout: 300_000 }, async () => {
  const { workspaceId } = place();
  const member = await addMember(stage.workspace, { permissions });
  const rows = Number(process.env.TEST_ROWS ?? 100_000);
  const superuser = await connect(stage.database.superuserUrl);
  await fillTables(superuser, ['member_imports'], async () => {
    await superuser.query(
      `insert into member_imports (workspace_id, member_id, credential_kind, credential_id, layout, columns_passed_over,
         data_type_ids, new_member_role_id, blank_cells, total, state, finished_at)
       select ${workspaceId}, ${member.memberId}, 'session', 1, '[]', '[]', '[]', 1, 'keep', 1, 'completed',
         now() - interval '2 days' + i * interval '1 millisecond' from generate_series(1, ${rows}) i`,
    );
  });
  await superuser.query('analyze member_imports');
  await superuser.end();
  const asked = await request(csvOf(randomTag(), 1), { by: contextOf(member) });
  const looks: [string, (tx: Tx) => Promise<unknown>][] = [
    ['member_imports_open', (tx) => selectOpenImports(tx, 0, 200)],
    ['member_imports_open', (tx) => countOpenImports(tx, asked.memberId)],
    ['member_imports_uuid_key', (tx) => findRequestedImport(tx, asked)],
    ['member_imports_ended', (tx) => removeImportsEndedBefore(tx, new Date(Date.now() - hours(24)), 1_000)],
  ];
  for (const [index, look] of looks) {
    const explained = await explaining(
      stage.database.appUrl,
      workspaceId,
      (db) => db.inWorkspace(workspaceId, look),
      /^(select|delete) .*\bmember_imports\b/s,
    );
    const scans = explained.flatMap(({ scans }) => scans).filter((scan) => /Scan/.test(scan));
    expect(scans[0]).toMatch(new RegExp(`Scan ${index}$`));
    expect(scans.filter((scan) => scan.startsWith('Seq'))).toEqual([]);
    expect(explained.reduce((sum, one) => sum + one.rows, 0)).toBeLessThanOrEqual(4_000);
  }
  await finish(asked.id);
});
