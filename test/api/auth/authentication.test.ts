import Type from 'typebox';
import { describe, expect, it, vi } from 'vitest';
import { workspaceMember } from '../../../api/http/access.js';
import { defineRoute } from '../../../api/http/define-route.js';
import { createApiKeySecret } from '../../../domain/identity/api-keys/api-key-secret.js';
import type { Permission, Scope } from '../../../domain/kernel/scopes.js';
import { useApi } from '../../support/api/use-api.js';
import { addApiKey, addMember } from '../../support/workspace/factories.js';

const Told = Type.Object({ memberId: Type.Integer(), memberRoleId: Type.Integer() });

/** A route with these access requirements; its answer shows the authenticated actor. */
function whoAmI(operationId: string, needs: { scope: Scope; permission?: Permission }) {
  return defineRoute({
    operationId,
    method: 'GET',
    path: `/w/{workspace_uuid}/${operationId}`,
    tag: 'Health' as const,
    summary: 'Who is calling',
    access: workspaceMember(needs),
    response: { status: 200, schema: Told },
    handler: async ({ context: { actor } }) => ({
      memberId: actor.memberId,
      memberRoleId: actor.memberRoleId,
    }),
  });
}

const reading = whoAmI('reading', { scope: 'members:read' });
const writing = whoAmI('writing', { scope: 'members:write', permission: 'members:write' });

let now = new Date('2031-05-01T12:00:00Z');
const clock = { now: () => now };
const { api, workspace, otherWorkspace: other } = useApi({ routes: [reading, writing], clock });

const read = (apiKey: string, place = workspace) => api.request('GET', place.path('/reading'), { apiKey });
const write = (apiKey: string) => api.request('GET', workspace.path('/writing'), { apiKey });
const unknown = '/w/00000000-0000-4000-8000-000000000000';
const keyOf = (accountId: number, options: Parameters<typeof addApiKey>[2] = {}) =>
  addApiKey(workspace.database, accountId, options);

/** Makes this account a member of the other workspace. @returns the member */
async function joinOther(accountId: number): Promise<number> {
  const { memberId } = await addMember(other);
  const { workspaceId } = other;
  const { memberships } = workspace.database.identity;
  await memberships.remove(workspaceId, memberId);
  await memberships.add({ workspaceId, memberId, accountId });
  return memberId;
}

describe('a request of a workspace member', () => {
  it('resolves to the account’s member in the workspace', async () => {
    const { memberId, role, apiKey } = workspace.member;
    expect(await read(apiKey)).toMatchObject({ status: 200, body: { memberId, memberRoleId: role.id } });
  });

  it('resolves to the right member for an account in several workspaces', async () => {
    const { accountId, memberId } = workspace.member;
    const memberIdThere = await joinOther(accountId);
    const apiKey = await keyOf(accountId);
    expect((await read(apiKey)).body.memberId).toBe(memberId);
    expect((await read(apiKey, other)).body.memberId).toBe(memberIdThere);
  });

  it('requires the scope on the credential', async () => {
    const apiKey = await keyOf(workspace.admin.accountId, { scopes: ['chats:read'] });
    const answer = await read(apiKey);
    const detail = expect.stringContaining('members:read');
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope', detail } });
    expect(answer.headers.get('WWW-Authenticate')).toContain('insufficient_scope');
  });

  it('requires the permission in the member’s role', async () => {
    const detail = expect.stringContaining('members:write');
    const answer = await write(await keyOf(workspace.member.accountId));
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden', detail } });
    expect((await write(await keyOf(workspace.admin.accountId))).status).toBe(200);
  });
});

describe('authentication', () => {
  const { secret } = createApiKeySecret();
  it.each([
    ['without credentials', {}, 'is missing'],
    ['with a key in a header of another name', { 'X-API-Key': secret }, 'is missing'],
    ['with a key without a scheme', { Authorization: secret }, 'has another form'],
    ['with another scheme', { Authorization: 'Basic dXNlcjpwYXNz' }, 'has another form'],
    ['with nothing after the scheme', { Authorization: 'Bearer' }, 'has another form'],
    ['with more than a token', { Authorization: 'Bearer a b' }, 'has another form'],
  ])('returns 401 %s, and says what to send', async (_title, headers: Record<string, string>, why) => {
    const answer = await api.request('GET', workspace.path('/reading'), { headers });
    const detail = `The header Authorization ${why}: send "Authorization: Bearer <key>", with an API key or a token.`;
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated', detail } });
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  });

  it('says the same of keys that are mistyped, unknown and no longer valid', async () => {
    const { accountId } = workspace.member;
    const expired = await keyOf(accountId, { expiresAt: new Date('2031-04-30T12:00:00Z') });
    const mistyped = `${workspace.member.apiKey.slice(0, -1)}!`;
    const keys = ['none', mistyped, createApiKeySecret().secret, expired];
    const answers = await Promise.all(keys.map((key) => read(key)));
    expect(answers.map(({ body }) => body.detail)).toEqual(
      keys.map(() =>
        expect.stringMatching(/^The key or token of the header Authorization, .* is unknown, wrong, /),
      ),
    );
    expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1);
  });

  it('returns 401 for a mistyped key without a database query', async () => {
    const look = vi.spyOn(workspace.database.identity.apiKeys, 'enterByHash');
    expect(await read(`${workspace.member.apiKey.slice(0, -1)}!`)).toMatchObject({ status: 401 });
    expect(await read(`wes_${'a'.repeat(36)}`)).toMatchObject({ status: 401 });
    expect(look).not.toHaveBeenCalled();
  });

  it('returns 401 for a key from the moment of its expiry', async () => {
    const apiKey = await keyOf(workspace.member.accountId, { expiresAt: new Date('2031-05-01T13:00:00Z') });
    now = new Date('2031-05-01T12:59:59Z');
    expect(await read(apiKey)).toMatchObject({ status: 200 });
    now = new Date('2031-05-01T13:00:00Z');
    expect(await read(apiKey)).toMatchObject({ status: 401 });
  });

  it('returns 401 for a key of a disabled account', async () => {
    const { accountId, apiKey } = await addMember(workspace);
    await workspace.database.identity.accounts.update(accountId, { enabled: false });
    expect(await read(apiKey)).toMatchObject({ status: 401 });
  });

  it('returns 401 for an unknown key, and before the workspace is looked up', async () => {
    expect(await read(createApiKeySecret().secret)).toMatchObject({ status: 401 });
    expect(await api.request('GET', `${unknown}/reading`)).toMatchObject({ status: 401 });
  });
});

describe('access to a workspace', () => {
  const notThere = { status: 404, body: { code: 'not_found', detail: 'Workspace not found.' } };

  it('returns 404 to non-members as if the workspace did not exist', async () => {
    expect(await read(other.admin.apiKey)).toMatchObject(notThere);
  });

  it('returns 404 for an unknown workspace', async () => {
    const { apiKey } = workspace.admin;
    for (const place of [unknown, '/w/nowhere'])
      expect(await api.request('GET', `${place}/reading`, { apiKey })).toMatchObject(notThere);
  });

  it('returns 404 for a key that is restricted to another workspace', async () => {
    const { accountId } = workspace.admin;
    await joinOther(accountId);
    const apiKey = await keyOf(accountId, { workspaceId: workspace.workspaceId });
    expect(await read(apiKey)).toMatchObject({ status: 200 });
    expect(await read(apiKey, other)).toMatchObject(notThere);
  });

  it('returns 404 for a deleted member', async () => {
    const { memberId, apiKey } = await addMember(workspace);
    await workspace.within((tx) => tx('members').where({ id: memberId }).update({ deleted_at: new Date() }));
    expect(await read(apiKey)).toMatchObject(notThere);
  });
});

describe('the last-use time of a key', () => {
  const lastUse = async (accountId: number) => {
    const { identity } = workspace.database;
    const page = { sortBy: 'createdAt', sortOrder: 'asc', page: 1, pageSize: 1 } as const;
    return (await identity.apiKeys.listForAccount(accountId, page, null)).items[0]?.lastUsedAt?.toISOString();
  };

  it('is stored at most once a minute', async () => {
    const { accountId, apiKey } = await addMember(workspace);
    const touch = vi.spyOn(workspace.database.identity.apiKeys, 'touch');
    const use = async (at: string) => {
      now = new Date(at);
      expect(await read(apiKey)).toMatchObject({ status: 200 });
    };
    await use('2031-06-01T10:00:00.000Z');
    await expect.poll(() => lastUse(accountId)).toBe('2031-06-01T10:00:00.000Z');
    await use('2031-06-01T10:00:59.000Z');
    expect(touch).toHaveBeenCalledTimes(1);
    await use('2031-06-01T10:01:01.000Z');
    await expect.poll(() => lastUse(accountId)).toBe('2031-06-01T10:01:01.000Z');
  });
});
