import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { reconcilerActivities } from '../../../activities/kernel/reconciler.js';
import { retentionActivities } from '../../../activities/kernel/retention.js';
import { importActivities } from '../../../activities/people/import-members.js';
import { Database } from '../../../db/database.js';
import {
  countOpenImports,
  findRequestedImport,
  removeImportsEndedBefore,
  selectOpenImports,
} from '../../../db/people/member-imports.js';
import type { MemberRow } from '../../../db/people/members.js';
import { lockIdentifiers } from '../../../db/people/write-members.js';
import { findErasedIdentifiers } from '../../../db/person-data/erased-identifiers.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../../domain/kernel/context.js';
import { createLabel } from '../../../domain/kernel/labels.js';
import { observeOccurrences } from '../../../domain/kernel/occurrences.js';
import { cancelMemberImport } from '../../../domain/people/imports/cancel-import.js';
import { followMemberImport, getMemberImport } from '../../../domain/people/imports/follow-import.js';
import { importLimits } from '../../../domain/people/imports/limits.js';
import { openImports } from '../../../domain/people/imports/reconcile-imports.js';
import type { RequestedImport } from '../../../domain/people/imports/request-import.js';
import { memberLabels } from '../../../domain/people/member-labels/member-labels.js';
import { setMemberEnabled } from '../../../domain/people/members/set-member-enabled.js';
import { importMembers } from '../../../domain/people/members/transfer/import-members.js';
import { eraseMember } from '../../../domain/person-data/erase-member.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { type Storage, StorageBusy } from '../../../providers/storage/storage.js';
import type { ImportStep } from '../../../workflows/contracts/steps.js';
import { emptyOutbox } from '../../support/db/empty-outbox.js';
import { explaining } from '../../support/db/explained.js';
import { whenWaiting } from '../../support/db/locks.js';
import { useConnection } from '../../support/db/use-database.js';
import { type DyingConnections, dyingConnections } from '../../support/faults/dying-connections.js';
import { csvFile } from '../../support/lib/csv-file.js';
import { hours, MovedClock } from '../../support/lib/moved-clock.js';
import { requestImport, signedInContext } from '../../support/people/request-import.js';
import { scratchStorage } from '../../support/storage/scratch-storage.js';
import { openRuns } from '../../support/temporal/open-runs.js';
import {
  actorOf,
  addMember,
  addMemberRow,
  createWorkspace,
  randomTag,
  type TestMember,
  uniqueEmail,
  uniquePhone,
} from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const stage = useWorkspace();
const query = useConnection(() => stage.database.superuserUrl);
/** The rows of a statement past the service. */
const asSuperuser = async <Row extends object = object>(text: string) => (await query<Row>(text)).rows;
const { storage, remove } = scratchStorage();
afterAll(remove);
let clock = new MovedClock();
let connections: DyingConnections;
beforeEach(async () => {
  clock = new MovedClock();
  connections = dyingConnections();
  await asSuperuser(`delete from member_imports`);
});
afterEach(() => connections.restore());

const place = () => ({
  workspaceId: stage.workspace.workspaceId,
  workspaceUuid: stage.workspace.workspaceUuid,
});
const permissions = ['members:write', 'members:read', 'records:write'];

const contextOf = (member: TestMember = stage.workspace.admin) =>
  signedInContext(stage.workspace, member, clock);

const request = (
  csv: string,
  { by = contextOf(), ...more }: Partial<RequestedImport> & { by?: CommandContext } = {},
) => requestImport(by, storage, csv, more);

interface Running {
  db?: Database;
  through?: Pick<Storage, 'get' | 'receive'>;
  sliceMs?: number;
}

/** One attempt at the next rows: unless told, at one batch. */
function attempt(
  importId: number,
  { db = stage.database.database, through = storage, sliceMs = 0 }: Running = {},
) {
  const { importMemberRows } = importActivities({ db, clock, storage: through as Storage }, { sliceMs });
  return new MockActivityEnvironment().run(importMemberRows, { ...place(), importId }) as Promise<ImportStep>;
}

/** Attempts until the import has ended, as its run does. */
async function finish(importId: number, running: Running = {}): Promise<ImportStep> {
  for (;;) {
    const step = await attempt(importId, { sliceMs: 60_000, ...running });
    if (step.kind === 'ended') return step;
  }
}

const find = (uuid: string, by = contextOf()) => getMemberImport(by, uuid);
const csvOf = (tag: string, count: number) =>
  ['name,external_id', ...Array.from({ length: count }, (_, at) => `Row ${at},${tag}-${at}`)].join('\n');

/** The external ids of the people whose ids begin so, and whether any is there twice. */
async function landed(tag: string): Promise<number> {
  const rows = await asSuperuser<{ external_id: string }>(
    `select external_id from members where external_id like '${tag}-%' and workspace_id = ${place().workspaceId}`,
  );
  expect(new Set(rows.map((row) => row.external_id)).size).toBe(rows.length);
  return rows.length;
}

async function objectsOf(importUuid: string): Promise<string[]> {
  const rows = await asSuperuser<{ state: string }>(
    `select o.state from member_imports i join stored_objects o on o.id = i.object_id where i.uuid = '${importUuid}'`,
  );
  return rows.map(({ state }) => state);
}

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
    const steps: number[] = [];
    for (;;) {
      const step = await attempt(asked.id, { sliceMs: 1_000 });
      steps.push(step.done);
      if (step.kind === 'ended') break;
    }
    expect(steps.at(-1)).toBe(10_000);
    expect(steps.length).toBeGreaterThan(1);
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

describe('an import that is cancelled', () => {
  it('by an operator, with its run, keeps what is written, and is told as cancelled', async () => {
    const tag = randomTag();
    const asked = await request(csvOf(tag, 200));
    await attempt(asked.id);
    const { cancelImport } = importActivities({ db: stage.database.database, clock, storage });
    for (const _ of ['once', 'again']) await cancelImport({ ...place(), importId: asked.id });
    expect(await attempt(asked.id)).toEqual({ kind: 'ended', outcome: 'cancelled', done: 50, total: 200 });
    expect(await find(asked.uuid)).toMatchObject({ state: 'cancelled', rowsDone: 50 });
    expect(await landed(tag)).toBe(50);
  });

  it('keeps what is written, and writes nothing more', async () => {
    const tag = randomTag();
    const asked = await request(csvOf(tag, 200));
    expect(await attempt(asked.id)).toEqual({ kind: 'again', done: 50, total: 200 });
    await cancelMemberImport(contextOf(), asked.uuid);
    expect(await attempt(asked.id)).toEqual({ kind: 'ended', outcome: 'cancelled', done: 50, total: 200 });
    expect(await landed(tag)).toBe(50);
    expect(await objectsOf(asked.uuid)).toEqual([]);
    const following = followMemberImport(contextOf(), asked.uuid, new AbortController().signal).next();
    await expect(following).rejects.toMatchObject({ code: 'import_cancelled' });
    // Again, it has no effect.
    await cancelMemberImport(contextOf(), asked.uuid);
    const actions = await asSuperuser(
      `select action, names from audit_events where subject_type = 'member_import' and subject_id = ${asked.id} order by id`,
    );
    expect(actions).toEqual([
      { action: 'member_import:requested', names: [] },
      { action: 'member_import:ended', names: ['cancelled'] },
    ]);
  });

  it('rolls the batch back that is being written', async () => {
    const tag = randomTag();
    const asked = await request(csvOf(tag, 60));
    const { workspace } = stage;
    const writing = await workspace.database.inWorkspace(workspace.workspaceId, async (tx) => {
      await lockIdentifiers(tx, 'many');
      const attempting = attempt(asked.id, { sliceMs: 60_000 });
      await whenWaiting(workspace, 1);
      await cancelMemberImport(contextOf(), asked.uuid);
      return { attempting };
    });
    expect(await writing.attempting).toMatchObject({ kind: 'ended', outcome: 'cancelled', done: 0 });
    expect(await landed(tag)).toBe(0);
  });
});

describe('an import whose member', () => {
  /** What takes the right of a member who has asked by a credential. */
  const losses: [
    string,
    'session' | 'api_key' | 'oauth_token',
    (member: TestMember, credentialId: number) => Promise<unknown>,
  ][] = [
    [
      'is disabled',
      'session',
      (member) => setMemberEnabled(stage.workspace.context(), member.memberId, false),
    ],
    [
      'has another role',
      'session',
      (member) =>
        asSuperuser(
          `update members set member_role_id = ${stage.workspace.roles.member.id} where id = ${member.memberId}`,
        ),
    ],
    [
      'is deleted',
      'session',
      (member) => asSuperuser(`update members set deleted_at = now() where id = ${member.memberId}`),
    ],
    [
      'has a disabled account',
      'session',
      (member) => asSuperuser(`update identity.accounts set enabled = false where id = ${member.accountId}`),
    ],
    [
      'has a revoked API key',
      'api_key',
      (_, id) => asSuperuser(`update identity.api_keys set revoked_at = now() where id = ${id}`),
    ],
    [
      'has an API key with fewer scopes',
      'api_key',
      (_, id) => asSuperuser(`update identity.api_keys set scopes = '{members:read}' where id = ${id}`),
    ],
    [
      'has ended the access of the AI client',
      'oauth_token',
      (_, id) => asSuperuser(`update identity.oauth_grants set revoked_at = now() where id = ${id}`),
    ],
    [
      'has given an access that is over',
      'oauth_token',
      (_, id) =>
        asSuperuser(
          `update identity.oauth_grants set expires_at = now() - interval '1 day' where id = ${id}`,
        ),
    ],
    [
      'is in a workspace that its provider alone enters, which is for no AI client',
      'oauth_token',
      enterBySsoOnly,
    ],
  ];

  async function enterBySsoOnly(): Promise<void> {
    const tag = randomTag();
    await asSuperuser(
      `with made as (insert into identity.organizations (name, slug, sso_only, public_path)
         values ('Clinics', 'o-${tag}', true, 'p-${tag}') returning id)
       update identity.workspaces set organization_id = made.id from made where workspaces.id = ${place().workspaceId}`,
    );
    onTestFinished(async () => {
      await asSuperuser(`update identity.workspaces set organization_id = null`);
    });
  }

  async function credentialOf(kind: string, member: TestMember): Promise<number> {
    if (kind === 'session') return 1;
    const [row] =
      kind === 'api_key'
        ? await asSuperuser<{ id: string }>(
            `select id from identity.api_keys where account_id = ${member.accountId}`,
          )
        : await asSuperuser<{ id: string }>(
            `insert into identity.oauth_grants (grant_id, account_id, workspace_id, client_id, client_name, resource, scopes, created_at, expires_at)
             values ('${randomUUID()}', ${member.accountId}, ${place().workspaceId}, 'client', 'Client', 'r', '{members:write}', now(), now() + interval '30 days')
             returning id`,
          );
    return Number(row?.id);
  }

  it.each(losses)('%s ends, and nothing further is written', async (_what, kind, lose) => {
    const member = await addMember(stage.workspace, { permissions });
    const id = await credentialOf(kind, member);
    const base = contextOf(member);
    const actor = Object.assign(
      actorOf(stage.workspace, { member, permissions, kind, scopes: permissions }),
      {
        credential: { kind, id, scopes: new Set(permissions) },
      },
    );
    const tag = randomTag();
    const asked = await request(csvOf(tag, 200), { by: { ...base, actor } });
    expect(await attempt(asked.id)).toMatchObject({ kind: 'again', done: 50 });
    await lose(member, id);
    expect(await attempt(asked.id)).toEqual({
      ...{ kind: 'ended', outcome: 'failed', reason: 'not_allowed', done: 50, total: 200 },
    });
    expect(await landed(tag)).toBe(50);
    expect(await objectsOf(asked.uuid)).toEqual([]);
    const following = followMemberImport(base, asked.uuid, new AbortController().signal).next();
    await expect(following).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('50 of 200'),
    });
  });

  it('is erased ends, and loses its file', async () => {
    const member = await addMember(stage.workspace, { permissions });
    const asked = await request(csvOf(randomTag(), 200), { by: contextOf(member) });
    await attempt(asked.id);
    await eraseMember(contextOf(), member.memberId, { confirm: member.row.email ?? '' });
    expect(await attempt(asked.id)).toMatchObject({ outcome: 'failed', reason: 'member_erased', done: 50 });
    expect(await objectsOf(asked.uuid)).toEqual([]);
  });
});

describe('an import, after a person of its file was erased,', () => {
  /** A file whose first batch is about others, and whose last row is about the member, by one identifier. */
  async function staged(by: 'email' | 'phone' | 'external_id') {
    const tag = randomTag();
    const memberRoleId = stage.workspace.roles.member.id;
    const known = { email: uniqueEmail(), phone: uniquePhone(), externalId: `${tag}-x` };
    const member = await addMemberRow(stage.workspace, { memberRoleId, ...known });
    const { email, phone, externalId: external_id } = known;
    const others = Array.from({ length: 50 }, (_, at) => `Row ${at},,,${tag}-${at}`);
    const own = ['email', 'phone', 'external_id'].map((name) =>
      name === by ? { email, phone, external_id }[by] : '',
    );
    const csv = ['name,email,phone,external_id', ...others, `Back,${own}`].join('\n');
    return { member, csv, tag };
  }
  const erase = ({ id }: MemberRow) => eraseMember(contextOf(), id, { confirm: String(id) });
  const errors = ['Row 52: The person was erased after the import was asked for.'];

  it.each(['email', 'phone', 'external_id'] as const)('does not bring it back by its %s', async (by) => {
    const { member, csv, tag } = await staged(by);
    const asked = await request(csv);
    await attempt(asked.id);
    clock.advance(hours(23));
    await erase(member);

    expect(await finish(asked.id)).toMatchObject({ outcome: 'completed', done: 51 });

    expect(await find(asked.uuid)).toMatchObject({ created: 50, updated: 0, failedRows: [52], errors });
    expect(await landed(tag)).toBe(50);
  });

  it('does not change who has its address by now', async () => {
    const { member, csv } = await staged('email');
    const asked = await request(csv);
    await attempt(asked.id);
    await erase(member);
    const other = await addMemberRow(stage.workspace, {
      memberRoleId: stage.workspace.roles.member.id,
      email: member.email,
      name: 'Somebody',
    });

    await finish(asked.id);

    expect(await find(asked.uuid)).toMatchObject({ created: 50, updated: 0, failedRows: [52] });
    expect(await asSuperuser(`select name from members where id = ${other.id}`)).toEqual([
      { name: 'Somebody' },
    ]);
  });

  it('does not bring it back within a request either', async () => {
    const { member, csv } = await staged('email');
    const path = csvFile(csv);
    const importing = importMembers(contextOf(), { path, signal: new AbortController().signal });
    await importing.next();
    await erase(member);

    let last: unknown;
    for await (const progress of importing) last = progress;

    expect(last).toMatchObject({ created: 50, failed: 1, errors });
  });

  it('writes it if it is asked for later: that is a decision of its own', async () => {
    const { member, csv } = await staged('email');
    await erase(member);
    clock.advance(61_000);
    const asked = await request(csv);
    await finish(asked.id);
    expect(await find(asked.uuid)).toMatchObject({ created: 51, failedRows: [] });
  });

  it('writes the person of another workspace', async () => {
    const { member, csv } = await staged('email');
    const asked = await request(csv);
    const elsewhere = await createWorkspace(stage.database.database);
    const memberRoleId = elsewhere.roles.member.id;
    const namesake = await addMemberRow(elsewhere, { memberRoleId, email: member.email });
    await eraseMember(elsewhere.context(), namesake.id, { confirm: String(namesake.id) });
    await finish(asked.id);
    expect(await find(asked.uuid)).toMatchObject({ created: 50, updated: 1, failedRows: [] });
  });

  it('looks identifiers up by their index', async () => {
    // Each row costs two indexes and a foreign key.
    const rows = Math.round(Number(process.env.TEST_ROWS ?? 100_000) / 50);
    const { member } = await staged('email');
    const { id } = await erase(member);
    await asSuperuser(
      `insert into erased_identifiers (workspace_id, erasure_id, digest, erased_at)
       select ${place().workspaceId}, ${id}, sha256(n::text::bytea), now()
       from generate_series(1, ${rows}) n`,
    );
    const wanted = [member.email ?? '', ...Array.from({ length: 149 }, (_, at) => `nobody-${at}`)];
    const explained = await explaining(
      stage.database.appUrl,
      place().workspaceId,
      async (db) => {
        const found = await db.readInWorkspace(place().workspaceId, (tx) =>
          findErasedIdentifiers(tx, wanted, new Date(0)),
        );
        expect([...found]).toEqual([member.email]);
      },
      /erased_identifiers/,
    );
    expect(explained.flatMap(({ scans }) => scans)).toEqual([
      'Index Only Scan erased_identifiers_workspace_id_digest_erased_at_idx',
    ]);
    await asSuperuser(`delete from erased_identifiers where erasure_id = ${id}`);
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
  await openImports.mend(context, open, 'missing');
  expect(await asSuperuser('select id from outbox')).toEqual([]);
});

it('imports are found by indexes among many that have ended', { timeout: 300_000 }, async () => {
  const { workspaceId } = place();
  const member = await addMember(stage.workspace, { permissions });
  const rows = Number(process.env.TEST_ROWS ?? 100_000);
  await asSuperuser(
    `insert into member_imports (workspace_id, member_id, credential_kind, credential_id, layout, columns_passed_over,
       data_type_ids, new_member_role_id, blank_cells, total, state, finished_at)
     select ${workspaceId}, ${member.memberId}, 'session', 1, '[]', '[]', '[]', 1, 'keep', 1, 'completed',
       now() - interval '2 days' + i * interval '1 millisecond' from generate_series(1, ${rows}) i`,
  );
  await asSuperuser('analyze member_imports');
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
