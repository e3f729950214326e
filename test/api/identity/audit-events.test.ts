import { describe, expect, it } from 'vitest';
import { forgetOldAudit } from '../../../domain/identity/audit/forget-old-audit.js';
import { systemClock } from '../../../domain/lib/clock.js';
import { signInAs, signInSuperuser, visitorsOf, wrong } from '../../support/api/browser.js';
import { useApi } from '../../support/api/use-api.js';
import { allDeleted } from '../../support/lib/all-batches.js';
import { addApiKey, addMember } from '../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin } = useApi({ trustedProxies: 1 });
const visitor = visitorsOf(api);

// biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer is what it asserts
const log = async (query: Record<string, string | number> = {}): Promise<any[]> => {
  const { status, body } = await asAdmin('GET', '/audit-events', undefined, query);
  expect(status).toBe(200);
  return body.items;
};

describe('the audit log of a workspace', () => {
  it('has what was done, by whom, to what and from where, without content', async () => {
    const role = (await asAdmin('POST', '/member-roles', { name: 'Nurses', permissions: ['chats:read'] }))
      .body;
    const headers = {
      'User-Agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0',
      'X-Request-Id': 'request-4711',
    };
    const { admin } = workspace;
    const body = { permissions: ['data:read'], name: 'Doctors' };
    const path = workspace.path(`/member-roles/${role.id}`);
    await api.request('PUT', path, { apiKey: admin.apiKey, headers, body });

    const [updated, created] = await log({ subjectType: 'role', subjectId: role.id });
    expect(created).toMatchObject({ action: 'role:created', names: ['chats:read'] });
    expect(updated).toEqual({
      id: expect.any(Number),
      createdAt: expect.any(String),
      action: 'role:updated',
      actorMemberId: admin.memberId,
      credentialKind: 'api_key',
      credentialId: expect.any(Number),
      subjectType: 'role',
      subjectId: role.id,
      names: ['+data:read', '-chats:read', 'name'],
      count: 1,
      address: '127.0.0.1',
      userAgent: 'Firefox on Linux',
      requestId: 'request-4711',
    });
    expect(JSON.stringify(await log())).not.toContain('Doctors');
  });

  it('has nothing of a command that failed', async () => {
    const before = await log({ action: 'role:created' });
    const taken = { name: workspace.roles.member.name, permissions: [] };
    expect((await asAdmin('POST', '/member-roles', taken)).status).toBe(400);
    expect(await log({ action: 'role:created' })).toEqual(before);
  });

  it('is filtered, paged in a stable order, and of this workspace only', async () => {
    for (const name of ['One', 'Two', 'Three']) {
      await asAdmin('PUT', '', { name: `Clinic ${name}`, locale: 'de-AT' });
    }
    const [newest] = await log({ action: 'workspace:updated' });
    expect(newest).toMatchObject({ names: ['name', 'locale'], subjectType: null, subjectId: null });
    const ids = (await log({ sortOrder: 'asc' })).map(({ id }) => id);
    expect([...ids].sort((one, other) => one - other)).toEqual(ids);
    const pages = await Promise.all([1, 2, 3].map((page) => log({ page, pageSize: 2, sortOrder: 'asc' })));
    expect(pages.flat().map(({ id }) => id)).toEqual(ids.slice(0, 6));
    expect(await log({ actorMemberId: workspace.member.memberId })).toEqual([]);
    expect(await log({ createdFrom: '2100-01-01T00:00:00Z' })).toEqual([]);
    const elsewhere = await as(otherWorkspace.admin, otherWorkspace)('GET', '/audit-events');
    expect(elsewhere.body.items.filter(({ id }: { id: number }) => ids.includes(id))).toEqual([]);
    const beyond = await asAdmin('GET', '/audit-events', undefined, { page: 101, pageSize: 100 });
    expect(beyond).toMatchObject({ status: 400, body: { errors: [{ pointer: '/page' }] } });
  });

  it('is read by those with the permission audit:read, by a credential with the scope', async () => {
    const refused = await as(workspace.member)('GET', '/audit-events');
    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('audit:read') } });
    const apiKey = await addApiKey(workspace.database, workspace.admin.accountId, {
      scopes: ['members:read'],
    });
    const path = workspace.path('/audit-events');
    expect(await api.request('GET', path, { apiKey })).toMatchObject({ status: 403 });
    expect(await api.request('GET', `${path}/export`, { apiKey })).toMatchObject({ status: 403 });
  });

  it('counts denied access in one row for each credential and hour', async () => {
    const { memberId, apiKey } = await addMember(workspace);
    const ask = () => api.request('GET', workspace.path('/secrets'), { apiKey });
    for (let time = 1; time <= 9; time += 1) expect((await ask()).status).toBe(403);
    const denied = () => log({ action: 'access:denied', actorMemberId: memberId });
    await expect.poll(async () => (await denied()).map(({ count }) => count)).toEqual([8]);
    const [event] = await denied();
    expect(event).toMatchObject({
      names: ['listSecrets', 'insufficient_scope', 'workspace:write'],
      address: '127.0.0.1',
    });
  });

  it('has support access, and members that were disabled and deleted', async () => {
    const { browser } = await signInSuperuser(workspace.database, visitor());
    const { body } = await browser.request('PUT', workspace.path('/support-access'), {
      body: { reason: 'Request 4711' },
    });
    const [taken] = await log({ action: 'support_access:taken' });
    expect(taken).toMatchObject({ actorMemberId: body.memberId, subjectId: body.memberId });
    const { memberId } = await addMember(workspace);
    await asAdmin('POST', `/members/${memberId}/disable`);
    await asAdmin('DELETE', `/members/${memberId}`);
    const done = await log({ subjectType: 'member', subjectId: memberId });
    expect(done.map(({ action }) => action)).toEqual(['member:deleted', 'member:disabled']);
  });

  it('is exported as a file, which is recorded', async () => {
    const { status, body } = await api.request<string>('GET', workspace.path('/audit-events/export'), {
      apiKey: workspace.admin.apiKey,
    });
    expect(status).toBe(200);
    const [header, ...rows] = body.trim().split(/\r?\n/);
    expect(header).toMatch(/^\uFEFF?id,created_at,action,actor_member_id,/);
    expect(rows.length).toBe((await log({ pageSize: 100 })).length);
    expect(rows.at(-1)).toContain('audit:exported');
  });

  it('is only added to: the database lets nobody change or delete what is younger than thirty days', async () => {
    const changed = workspace.within((tx) => tx('audit_events').update({ action: 'nothing' }));
    await expect(changed).rejects.toThrow('permission denied');
    const deleted = await workspace.within((tx) => tx('audit_events').delete());
    expect(deleted).toBe(0);
  });

  it('forgets what is older than the workspace keeps it, in bounded pieces', async () => {
    const { database, workspaceId } = workspace;
    const day = 86_400_000;
    const aged = [31, 40, 90].map((days) => new Date(Date.now() - days * day));
    await database.inWorkspace(workspaceId, (tx) =>
      tx('audit_events').insert(
        aged.map((created_at) => ({ workspace_id: workspaceId, created_at, action: 'role:deleted' })),
      ),
    );
    expect((await asAdmin('PUT', '', { auditRetentionDays: 29 })).status).toBe(400);
    expect((await asAdmin('PUT', '', { auditRetentionDays: 60 })).body.auditRetentionDays).toBe(60);
    const context = { db: database, clock: systemClock };
    expect(await allDeleted(() => forgetOldAudit(context, workspaceId, 60))).toBe(1);
    expect(await allDeleted(() => forgetOldAudit(context, workspaceId, 30))).toBe(2);
  });
});

describe('the log of an account', () => {
  it('has its sign-ins, wrong codes and keys, and is read by its sessions only', async () => {
    const { accountId, apiKey } = await addMember(workspace);
    const account = await workspace.database.identity.accounts.findById(accountId);
    const browser = visitor({ 'User-Agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' });
    const code = await browser.askForCode({ email: account?.email ?? '' });
    const tried = { body: { ...code, code: wrong(code.code) } };
    for (let time = 1; time <= 2; time += 1) await browser.request('POST', '/sessions', tried);
    expect((await browser.request('POST', '/sessions', { body: code })).status).toBe(201);
    await browser.request('POST', '/account', { body: { timezone: 'Europe/Vienna' } });
    const key = { name: 'A key', scopes: ['chats:read'] };
    const { body } = await browser.request('POST', '/account/api-keys', { body: key });
    await browser.request('DELETE', `/account/api-keys/${body.id}`);

    const own = await browser.request('GET', '/account/audit-events');
    const told = own.body.items.map(({ action, names, count }: Record<string, unknown>) => [
      action,
      names,
      count,
    ]);
    expect(told).toEqual([
      ['api_key:revoked', [], 1],
      ['api_key:created', ['chats:read'], 1],
      ['account:updated', ['timezone'], 1],
      ['session:begun', [], 1],
      ['login:refused', [], 2],
    ]);
    expect(own.body.items[3]).toMatchObject({ userAgent: 'Firefox on Linux', address: expect.any(String) });
    expect(JSON.stringify(own.body)).not.toContain('Vienna');
    const byKey = await api.request('GET', '/account/audit-events', { apiKey });
    expect(byKey).toMatchObject({ status: 403, body: { code: 'session_required' } });
    const stranger = await signInAs(workspace.database, workspace.member.accountId, visitor());
    const theirs = await stranger.request('GET', '/account/audit-events');
    expect(theirs.body.items.some(({ action }: { action: string }) => action === 'api_key:revoked')).toBe(
      false,
    );
  });
});
