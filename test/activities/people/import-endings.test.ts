import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { importActivities } from '../../../activities/people/import-members.js';
import type { MemberRow } from '../../../db/people/members.js';
import { lockIdentifiers } from '../../../db/people/write-members.js';
import { findErasedIdentifiers } from '../../../db/person-data/erased-identifiers.js';
import { cancelMemberImport } from '../../../domain/people/imports/cancel-import.js';
import { followMemberImport } from '../../../domain/people/imports/follow-import.js';
import { setMemberEnabled } from '../../../domain/people/members/set-member-enabled.js';
import { importMembers } from '../../../domain/people/members/transfer/import-members.js';
import { eraseMember } from '../../../domain/person-data/erase-member.js';
import { explaining } from '../../support/db/explained.js';
import { whenWaiting } from '../../support/db/locks.js';
import { csvFile } from '../../support/lib/csv-file.js';
import { hours } from '../../support/lib/moved-clock.js';
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
import { useImports } from './use-imports.js';

const {
  stage,
  asSuperuser,
  storage,
  clock,
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
    const writing = await workspace.within(async (tx) => {
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
    // Plans depend on when autovacuum has looked at the table.
    await asSuperuser('vacuum (analyze) erased_identifiers');
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
