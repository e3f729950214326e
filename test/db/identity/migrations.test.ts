import knex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as supportMembers from '../../../db/migrations/0017-support-members.js';
import * as phoneNumberPool from '../../../db/migrations/0027-phone-number-pool.js';
import * as proofsAndGrants from '../../../db/migrations/0035-proofs-and-grants.js';
import * as sessionsOfProviders from '../../../db/migrations/0190-sessions-of-providers.js';
import { takeSupportAccess } from '../../../domain/identity/support-access/take-support-access.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';
import { addMember, addRole, uniqueEmail } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace, database } = useWorkspace();
let migrator: Knex;

beforeAll(() => {
  migrator = knex({ client: 'pg', connection: database.migratorUrl });
});
afterAll(() => migrator.destroy());

it('the migration of grants gives existing sessions and tokens the permissions of their roles, and shortens sessions', async () => {
  const permissions = ['account:create', 'members:write', 'chats:read'];
  const { memberId, role } = await addMember(workspace, { permissions });
  const greeting = await addRole(workspace, { permissions: ['account:create'] });
  await migrator.transaction(proofsAndGrants.down);
  const owner = { workspace_id: workspace.workspaceId, member_id: memberId };
  const begun = { created_at: '2031-05-01T12:00:00Z', expires_at: '2031-07-30T12:00:00Z' };
  await migrator('identity.sessions').insert({
    ...owner,
    ...begun,
    hash: Buffer.alloc(32, 1),
    last_used_at: begun.created_at,
  });
  await migrator('identity.member_tokens').insert({ ...owner, ...begun, hash: Buffer.alloc(32, 2) });

  await migrator.transaction(proofsAndGrants.up);

  const grants = { role_grants: permissions, granted: permissions };
  const answer = await migrator('identity.sessions').where(owner).first();
  expect(answer).toMatchObject({ ...grants, expires_at: new Date('2031-05-15T12:00:00Z') });
  expect(await migrator('identity.member_tokens').where(owner).first()).toMatchObject(grants);
  const permissionsOf = async (id: number) =>
    (await migrator('member_roles').where({ id }).first()).permissions;
  expect(await permissionsOf(role.id)).toEqual([...permissions, 'members:impersonate']);
  expect(await permissionsOf(greeting.id)).toEqual(['account:create']);
  const admin: string[] = await permissionsOf(workspace.roles.admin.id);
  expect(admin.filter((permission) => permission === 'members:impersonate')).toHaveLength(1);
});

it('the migration of the phone number pool keeps numbers that workspaces use, assigned to them', async () => {
  const { number, id } = await addPhoneNumber(workspace);

  await phoneNumberPool.down(migrator);
  await phoneNumberPool.up(migrator);

  const { identity } = workspace.database;
  const page = { page: 1, pageSize: 25, sortBy: 'number', sortOrder: 'asc' } as const;
  const { items } = await identity.phoneNumberPool.list({ search: number }, page);
  expect(items).toMatchObject([
    { number, workspaceUuid: workspace.workspaceUuid, source: 'earlier_release', purpose: 'workspaces' },
  ]);
  const { workspaceId } = workspace;
  expect(await identity.phoneNumberRoutes.find(number)).toEqual({ workspaceId, phoneNumberId: id });
});

it('the migration of support members recognises earlier ones by account and role', async () => {
  const { identity } = workspace.database;
  const account = await identity.accounts.create({ email: uniqueEmail(), isSuperuser: true });
  const credential = {
    kind: 'session',
    id: 0,
    scopes: null,
    workspaceId: null,
    organizationId: null,
    expiresAt: null,
  } as const;
  const policy = {
    workspaceCreation: 'anyone',
    loginCodesPerHour: 5,
    workspacesPerAccount: 20,
    bytesPerWorkspace: 1,
    exportDays: 7,
    supportAccessHours: 8,
    localHttpOrigins: true,
  } as const;
  const { memberId } = await takeSupportAccess(
    { db: workspace.database, clock: workspace.context().clock, account, credential, policy },
    workspace.workspaceUuid,
    'Request 4711',
  );
  const support = await workspace.database.inWorkspace(workspace.workspaceId, async (tx) =>
    tx('members').where({ id: memberId }).first('member_role_id'),
  );
  // A colleague with the same role, and a superuser who is a regular admin.
  const colleague = await addMember(workspace);
  await workspace.database.inWorkspace(workspace.workspaceId, async (tx) =>
    tx('members').where({ id: colleague.memberId }).update(support),
  );
  const owner = await addMember(workspace, { role: workspace.roles.admin });
  await identity.accounts.update(owner.accountId, { isSuperuser: true });

  await supportMembers.down(migrator);
  await supportMembers.up(migrator);

  const ids = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
    identity.memberships.supportMemberIds(workspace.workspaceId, tx),
  );
  expect(ids).toEqual([memberId]);
});

it('the migration of sessions by a provider binds what it knows, ends what it does not, and revokes what was made in them', async () => {
  const { accountId } = await addMember(workspace);
  const at = { created_at: '2031-05-01T12:00:00Z' };
  const ends = { expires_at: '2031-07-30T12:00:00Z' };
  const insert = async (table: string, values: object): Promise<number> =>
    (await migrator(`identity.${table}`).insert(values).returning('id'))[0].id;
  const named = { name: 'A', slug: 'sessions-of-providers', ...at, updated_at: at.created_at };
  const organization_id = await insert('organizations', named);
  const session = (hash: number) =>
    insert('sessions', {
      account_id: accountId,
      hash: Buffer.alloc(32, hash),
      last_used_at: at.created_at,
      ...at,
      ...ends,
    });
  const joined = (session_id: number, hash: number) =>
    insert('organization_sessions', {
      organization_id,
      session_id,
      account_id: accountId,
      hash: Buffer.alloc(32, hash),
      by_sso: true,
      ...at,
      expires_at: '2031-05-02T00:00:00Z',
    });
  await migrator.transaction(sessionsOfProviders.down);
  await insert('external_identities', {
    organization_id,
    issuer: 'https://idp.example',
    subject: 'a',
    account_id: accountId,
    ...at,
    last_used_at: at.created_at,
  });
  const [known, unknown] = [await session(11), await session(12)];
  await joined(known, 13);
  const key = await migrator('identity.api_keys').where({ account_id: accountId }).first();
  const made = { account_id: accountId, ...at, credential_kind: 'session', credential_id: unknown };
  await migrator('identity.audit_events').insert([
    {
      ...at,
      account_id: accountId,
      action: 'session:begun',
      subject_type: 'session',
      subject_id: unknown,
      names: ['sso'],
    },
    { ...made, action: 'api_key:created', subject_type: 'api_key', subject_id: key.id, names: [] },
  ]);

  await migrator.transaction(sessionsOfProviders.up);

  const bound = { organization_id, expires_at: new Date('2031-05-02T00:00:00Z') };
  const found = (id: number) => migrator('identity.sessions').where({ id }).first();
  expect(await found(known)).toMatchObject({ ...bound, ended_at: null });
  expect(await found(unknown)).toMatchObject({ organization_id: null, ended_at: expect.any(Date) });
  expect((await migrator('identity.api_keys').where({ id: key.id }).first()).revoked_at).not.toBeNull();
  // A process of the last release begins one while it still runs.
  const begun = await session(14);
  await joined(begun, 15);
  expect(await found(begun)).toMatchObject(bound);
});
