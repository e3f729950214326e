import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { selectMcpServers } from '../../../../db/definitions/mcp-servers.js';
import { maxMcpServers } from '../../../../domain/definitions/mcp-servers/mcp-servers.js';
import { decryptToken } from '../../../../domain/definitions/mcp-servers/server-token.js';
import { startMcpServer } from '../../../../tools/simulators/mcp-server/start-mcp-server.js';
import type { RunningSimulator } from '../../../../tools/simulators/support/serve.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { createWorkspace, randomTag } from '../../../support/workspace/factories.js';
import { ask } from '../../../tools/simulators/simulator-client.js';

const { api, workspace, otherWorkspace, asAdmin } = useApi();
let simulator: RunningSimulator;
const nameOf = () => `m${randomTag().replaceAll(/[^a-z0-9]/g, '')}`.slice(0, 18);
const create = (body: object = {}) =>
  asAdmin('POST', '/mcp-servers', { name: nameOf(), url: `${simulator.url}/mcp`, ...body });
const turn = (knobs: object) => ask(simulator.url, 'POST', '/knobs', knobs);
let id: number;
let toolId: number;
let digest: string;
beforeAll(async () => {
  simulator = await startMcpServer({ port: 0 });
  ({ id } = (await create()).body);
  await asAdmin('POST', `/mcp-servers/${id}/refresh`);
  [{ id: toolId, digest }] = (await asAdmin('GET', `/mcp-servers/${id}/tools`)).body.filter(
    ({ name }: { name: string }) => name === 'find_order',
  );
});
afterAll(() => simulator.close());
afterEach(() => ask(simulator.url, 'DELETE', '/knobs'));

const item = { scope: 'workspace:write', needsPermission: true, namesItem: true } as const;
const one = () => `/mcp-servers/${id}`;
describeAccess(
  { api, workspace, otherWorkspace },
  [
    'GET servers',
    'POST servers',
    'GET a server',
    'PUT a server',
    'POST refresh',
    'GET tools',
    'PUT a tool',
    'DELETE a tool',
    'DELETE a server',
  ],
  () => [
    { ...item, method: 'GET', path: '/mcp-servers', namesItem: false },
    {
      ...item,
      method: 'POST',
      path: '/mcp-servers',
      body: { name: 'x', url: 'https://mcp.example.com/mcp' },
      namesItem: false,
    },
    { ...item, method: 'GET', path: one() },
    { ...item, method: 'PUT', path: one(), body: { enabled: true } },
    { ...item, method: 'POST', path: `${one()}/refresh` },
    { ...item, method: 'GET', path: `${one()}/tools` },
    { ...item, method: 'PUT', path: `${one()}/tools/${toolId}`, body: { digest, approval: 'none' } },
    { ...item, method: 'DELETE', path: `${one()}/tools/${toolId}` },
    { ...item, method: 'DELETE', path: one() },
  ],
);

const token = 'never-shown-0001';
const stored = async (serverId: number) =>
  workspace.within(async (tx) => {
    const row = (await selectMcpServers(tx)).find((server) => server.id === serverId);
    return row && decryptToken(tx, testEncryption, row);
  });

describe('remote MCP servers', () => {
  it('name the workflows in use that name a tool of them', async () => {
    const { body: server } = await create();
    const tools = [{ server: server.name, tool: 'find_order' }];
    const rootTask = {
      name: 'Order',
      taskType: 'conversation',
      prompt: 'Find the order.',
      abilities: [{ abilityType: 'conclude' }, { abilityType: 'mcp_tools', config: { tools } }],
    };
    const { body: workflow } = await asAdmin('POST', '/workflows', { name: 'Orders' });
    const revisions = `/workflows/${workflow.id}/revisions`;
    const revision = await asAdmin('POST', revisions, { rootTask });
    await asAdmin('POST', `${revisions}/${revision.body.id}/publish`, { activate: true });
    const { body } = await asAdmin('GET', `/mcp-servers/${server.id}`);
    expect(body.workflows).toEqual([{ id: workflow.id, name: 'Orders' }]);
  });

  it('keep their token encrypted, and no answer has it', async () => {
    const created = await create({ token });
    const path = `/mcp-servers/${created.body.id}`;
    const answers = [
      created,
      await asAdmin('GET', '/mcp-servers'),
      await asAdmin('GET', path),
      await asAdmin('PUT', path, { enabled: false }),
      await asAdmin('POST', `${path}/refresh`),
    ];
    expect(created).toMatchObject({
      status: 201,
      body: { hasToken: true, enabled: true, refreshedAt: null },
    });
    expect(JSON.stringify(answers)).not.toContain(token);
    expect(await stored(created.body.id)).toBe(token);
    const rows = await workspace.within(selectMcpServers);
    expect(rows.map((row) => row.token?.toString('latin1')).join()).not.toContain(token);
  });

  it.each([
    ['a name in capitals', { name: 'Orders' }, '/name'],
    ['a name with two underscores', { name: 'my__orders' }, '/name'],
    ['a name that is too long', { name: 'x'.repeat(21) }, '/name'],
    ['a short token', { token: 'short' }, '/token'],
    ['a token with a line break', { token: 'sesame-open\r\nHost: x' }, '/token'],
    ['an address that is none', { url: 'nowhere' }, '/url'],
    ['another protocol', { url: 'file:///etc/passwd' }, '/url'],
    ['an address with a password', { url: 'https://a:b@mcp.example.com/' }, '/url'],
    ['an address with a fragment', { url: 'https://mcp.example.com/#x' }, '/url'],
    ['the address of a cloud', { url: 'http://169.254.169.254/latest' }, '/url'],
  ])('are refused with %s', async (_, body, pointer) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual([pointer]);
  });

  it('have different names', async () => {
    const name = nameOf();
    const { body } = await create({ name });
    expect((await create({ name })).body).toMatchObject({ code: 'duplicate' });
    const other = await create();
    expect((await asAdmin('PUT', `/mcp-servers/${other.body.id}`, { name })).status).toBe(400);
    expect((await asAdmin('PUT', `/mcp-servers/${body.id}`, { name })).status).toBe(200);
  });

  it('at another address are other servers: without tools, and without the token of before', async () => {
    const { body } = await create({ token });
    const path = `/mcp-servers/${body.id}`;
    await asAdmin('POST', `${path}/refresh`);
    const refused = await asAdmin('PUT', path, { url: 'https://evil.example/mcp' });
    expect(refused.status).toBe(400);
    expect(pointersOf(refused.body)).toEqual(['/token']);
    expect((await asAdmin('GET', `${path}/tools`)).body).toHaveLength(2);

    const moved = await asAdmin('PUT', path, { url: 'https://other.example/mcp', token: null });
    expect(moved.body).toMatchObject({
      hasToken: false,
      refreshedAt: null,
      url: 'https://other.example/mcp',
    });
    expect((await asAdmin('GET', `${path}/tools`)).body).toEqual([]);
  });

  it('are as many as allowed, and no more', async () => {
    const place = await createWorkspace(workspace.database);
    const path = place.path('/mcp-servers');
    const add = (name: string) =>
      api.request('POST', path, {
        apiKey: place.admin.apiKey,
        body: { name, url: 'https://mcp.example.com/' },
      });
    for (let count = 0; count < maxMcpServers; count += 1) expect((await add(`s${count}`)).status).toBe(201);
    expect(await add('more')).toMatchObject({ status: 409, body: { code: 'too_many_mcp_servers' } });
  });

  it('are deleted with their tools', async () => {
    const { body } = await create();
    await asAdmin('POST', `/mcp-servers/${body.id}/refresh`);
    expect((await asAdmin('DELETE', `/mcp-servers/${body.id}`)).status).toBe(204);
    for (const path of ['', '/tools']) {
      expect((await asAdmin('GET', `/mcp-servers/${body.id}${path}`)).status).toBe(404);
    }
    expect((await asAdmin('DELETE', `/mcp-servers/${body.id}`)).status).toBe(404);
  });
});

describe('the tools of a server', () => {
  it('are listed, allowed as they were seen, and taken back', async () => {
    const { body } = await create();
    const path = `/mcp-servers/${body.id}`;
    expect((await asAdmin('GET', `${path}/tools`)).body).toEqual([]);
    const refreshed = await asAdmin('POST', `${path}/refresh`);
    expect(refreshed).toMatchObject({ status: 200, body: { refreshFailure: null, isListCut: false } });
    const [, tool] = (await asAdmin('GET', `${path}/tools`)).body;
    expect(tool).toMatchObject({
      name: 'find_order',
      toolName: `${body.name}__find_order`,
      state: 'not_allowed',
      approval: null,
      isReadOnly: true,
      isDestructive: false,
    });

    const at = `${path}/tools/${tool.id}`;
    const allowed = await asAdmin('PUT', at, { digest: tool.digest, approval: 'person' });
    expect(allowed.body).toMatchObject({ state: 'allowed', approval: 'person' });

    await turn({ changed: true });
    await asAdmin('POST', `${path}/refresh`);
    const [, changed] = (await asAdmin('GET', `${path}/tools`)).body;
    expect(changed).toMatchObject({ state: 'changed', description: expect.stringContaining('everything') });
    const stale = await asAdmin('PUT', at, { digest: tool.digest, approval: 'none' });
    expect(stale).toMatchObject({ status: 409, body: { code: 'mcp_tool_changed' } });
    expect((await asAdmin('PUT', at, { digest: changed.digest, approval: 'none' })).body.state).toBe(
      'allowed',
    );

    for (let time = 0; time < 2; time += 1) expect((await asAdmin('DELETE', at)).status).toBe(204);
    expect((await asAdmin('GET', `${path}/tools`)).body[1]).toMatchObject({ state: 'not_allowed' });
  });

  it.each([
    [{ token: 'another-token-01' }, 'unauthorized'],
    [{ mishaps: [{ answer: 'redirect', chance: true }] }, 'redirected'],
    [{ mishaps: [{ answer: 'status', status: 503, chance: true }] }, 'http_503'],
  ])('stay as they are while the server refuses: %j', async (knobs, refreshFailure) => {
    await turn(knobs);
    const answer = await asAdmin('POST', `${one()}/refresh`);
    expect(answer).toMatchObject({ status: 200, body: { refreshFailure } });
    expect((await asAdmin('GET', `${one()}/tools`)).body).toHaveLength(2);
  });

  it('are listed for one caller at a time', async () => {
    await turn({ latencyMs: 1_500 });
    const answers = await Promise.all([1, 2, 3].map(() => asAdmin('POST', `${one()}/refresh`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('mcp_refresh_under_way');
    expect((await asAdmin('POST', `${one()}/refresh`)).status).toBe(200);
  });

  it('are not stored for a server that was changed meanwhile', async () => {
    const { body } = await create();
    await turn({ latencyMs: 1_500 });
    await ask(simulator.url, 'DELETE', '/calls');
    const refreshing = asAdmin('POST', `/mcp-servers/${body.id}/refresh`);
    await expect
      .poll(async () => (await ask<string[]>(simulator.url, 'GET', '/requests')).body.length)
      .toBeGreaterThan(0);
    await asAdmin('PUT', `/mcp-servers/${body.id}`, { url: 'https://other.example/mcp' });
    expect(await refreshing).toMatchObject({ status: 409, body: { code: 'mcp_server_changed' } });
    expect((await asAdmin('GET', `/mcp-servers/${body.id}/tools`)).body).toEqual([]);
  });
});
