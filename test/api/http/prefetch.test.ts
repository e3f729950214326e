import Type from 'typebox';
import { beforeEach, describe, expect, it } from 'vitest';
import { workspaceMember } from '../../../api/http/access.js';
import { defineRoute } from '../../../api/http/define-route.js';
import { routes } from '../../../api/resources/index.js';
import { prepared } from '../../../db/statement.js';
import type { EnteredTx } from '../../../db/tx.js';
import { createApiKeySecret } from '../../../domain/identity/api-keys/api-key-secret.js';
import type { Scope } from '../../../domain/kernel/scopes.js';
import { createDataRecord } from '../../../domain/records/data-records/create-data-record.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { openBrowser, signInAs } from '../../support/api/browser.js';
import { useApi } from '../../support/api/use-api.js';
import { type DyingConnections, dyingConnections } from '../../support/faults/dying-connections.js';
import { addApiKey, addMember } from '../../support/workspace/factories.js';

interface Seen {
  names: (string | null)[];
}

/** The prefetch of the test route, and its result. */
let prefetch: (tx: EnteredTx) => Promise<Seen>;
let early: Promise<Seen> | undefined;

const seeMembers = async (tx: EnteredTx): Promise<Seen> => {
  const rows = await prepared<{ name: string | null }>(tx, 'select name from members order by id', []);
  return { names: rows.map(({ name }) => name) };
};

const looking = defineRoute({
  operationId: 'look',
  method: 'GET',
  path: '/w/{workspace_uuid}/looks/{look_id}',
  tag: 'Members',
  summary: 'A test',
  access: workspaceMember({ scope: 'members:read', permission: 'members:write' }),
  query: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 9, default: 5 }) }),
  response: { status: 200, schema: Type.Object({ early: Type.Union([Type.Integer(), Type.Null()]) }) },
  prefetch: (tx) => {
    early = prefetch(tx);
    return early;
  },
  handler: async ({ prefetched }) => ({ early: prefetched?.names.length ?? null }),
});

const { api, workspace, otherWorkspace: other, asAdmin, asMember } = useApi({ routes: [looking, ...routes] });
let connections: DyingConnections;
beforeEach(() => {
  connections = dyingConnections();
  prefetch = seeMembers;
  early = undefined;
});

const look = (apiKey: string | undefined, rest = '/looks/1', place = workspace) =>
  api.request('GET', place.path(rest), { apiKey });

/** The number of messages to the database during `work`, with prepared statements. */
async function messagesOf(work: () => Promise<{ status: number }>): Promise<number> {
  expect((await work()).status).toBe(200);
  connections.dieAt(0, 'before');
  expect((await work()).status).toBe(200);
  return connections.sent;
}

describe('the prefetch of a route', () => {
  it('is passed to the handler', async () => {
    expect(await look(workspace.admin.apiKey)).toMatchObject({ status: 200, body: { early: 2 } });
  });

  it.each([
    ['a credential that does not exist', () => createApiKeySecret().secret, 401, { names: [] }],
    ['somebody of another workspace', () => other.admin.apiKey, 404, { names: [] }],
    ['a key that lacks the scope', () => keyWith(['chats:read']), 403, expect.anything()],
    ['a member who lacks the permission', () => workspace.member.apiKey, 403, expect.anything()],
  ])('is discarded for %s', async (_who, apiKey, status, seen) => {
    const answer = await look(await apiKey());
    expect(answer.status).toBe(status);
    expect(answer.body).not.toHaveProperty('early');
    expect(await early).toEqual(seen);
  });

  it('is not sent without credentials or with a malformed key', async () => {
    for (const apiKey of [undefined, 'wes_no-key']) expect((await look(apiKey)).status).toBe(401);
    expect(early).toBeUndefined();
  });

  it.each([
    ['/looks/0', 404],
    ['/looks/x', 400],
    ['/looks/1?limit=10', 400],
    ['/looks/1?limit=many', 400],
  ])('is not sent at %s, and authentication is checked before validation', async (path, status) => {
    const keys = [createApiKeySecret().secret, workspace.member.apiKey, workspace.admin.apiKey];
    const answers = await Promise.all(keys.map((apiKey) => look(apiKey, path)));
    expect(answers.map((answer) => answer.status)).toEqual([401, 403, status]);
    expect(early).toBeUndefined();
  });

  it.each([
    ['fails', async (tx: EnteredTx) => ({ names: await prepared<string>(tx, 'select 1 / 0', []) })],
    ['writes', async (tx: EnteredTx) => ({ names: await prepared<string>(tx, 'delete from members', []) })],
    ['asks twice', async (tx: EnteredTx) => [await seeMembers(tx), await seeMembers(tx)][0] as Seen],
  ])('falls back to a regular request if it %s', async (_what, asking) => {
    prefetch = asking;
    expect(await look(workspace.admin.apiKey)).toMatchObject({ status: 200, body: { early: null } });
    await expect(early).rejects.toThrow();
  });

  it('is not mixed up between fifty concurrent requests of two workspaces', async () => {
    await addMember(other);
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const [place, members] = index % 2 === 0 ? [workspace, 2] : ([other, 3] as const);
        const { body } = await look(place.admin.apiKey, '/looks/1', place);
        return { members, saw: body.early };
      }),
    );
    expect(answers.map(({ saw }) => saw)).toEqual(answers.map(({ members }) => members));
  });
});

const keyWith = (scopes: Scope[]) => addApiKey(workspace.database, workspace.admin.accountId, { scopes });

describe('a request with a prefetch', () => {
  it.each(['getChat', 'listChatMessages', 'getDataRecord'])(
    'takes one message to the database for %s, by key or session',
    async (operationId) => {
      const path = await pathOf(operationId);
      const { apiKey, accountId } = workspace.admin;
      const browser = await signInAs(workspace.database, accountId, openBrowser(api));

      expect(await messagesOf(() => api.request('GET', path, { apiKey }))).toBe(1);
      expect(await messagesOf(() => browser.request('GET', path))).toBe(1);
    },
  );

  it('takes one message to the database for listing messages of an own chat', async () => {
    const path = `/chats/${(await asMember('POST', '/chats', { channel: 'web-chat' })).body.id}/messages`;
    await asMember('POST', path, { content: 'Hello' });
    expect(await messagesOf(() => asMember('GET', path))).toBe(1);
  });

  it('exists only on frequent routes with member access', () => {
    const asking = routes.filter((route) => route.prefetch !== undefined);

    const unusual = asking.filter(({ method, response }) => method !== 'GET' || response.status !== 200);
    expect(unusual.map(({ operationId }) => operationId)).toEqual(['createDataRecord']);
    expect(asking.filter(({ access }) => access.kind !== 'member')).toEqual([]);
  });
});

async function pathOf(operationId: string): Promise<string> {
  if (operationId === 'getDataRecord') {
    const context = workspace.context();
    const fields = [{ name: 'Colour', slug: 'colour', fieldType: 'text' }];
    const type = await createDataType(context, { name: 'Likes', slug: 'likes', isCollection: true, fields });
    const { id } = await createDataRecord(context, type.id, { fieldValues: { colour: 'green' } });
    return workspace.path(`/data-types/${type.id}/records/${id}`);
  }
  const { body } = await asAdmin('POST', '/chats', { channel: 'web-chat' });
  return workspace.path(`/chats/${body.id}${operationId === 'getChat' ? '' : '/messages'}`);
}
