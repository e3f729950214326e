import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../domain/lib/clock.js';
import { sendMcp, sendModernMcp } from '../../support/api/mcp.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { addMember } from '../../support/workspace/factories.js';

const oauth = useOAuth({ clock: systemClock, eventStreams: { heartbeatMs: 40 } });
const { api, workspace } = oauth;
const scopes = ['members:read', 'members:write'];

async function tokenOf(member = workspace.admin): Promise<string> {
  const { client } = await oauth.addApplication({ scopes });
  const asked = { resource: client.resource.mcp, scope: scopes.join(' ') };
  return (await oauth.connect(client, asked, await oauth.signedIn(member))).tokens.access_token;
}
let token = '';
beforeAll(async () => {
  token = await tokenOf();
});

const tool = (csv: unknown, more: object = {}) => ({
  name: 'import_members',
  arguments: { ...(csv !== undefined && { csv }), confirm: true, ...more },
});
const call = async (csv: unknown, more: object = {}, bearer = token) =>
  (await sendMcp(api, { token: bearer, method: 'tools/call', params: tool(csv, more) })).body;
const errorOf = ({ content }: { content: { text: string }[] }) => JSON.parse(content.at(-1)?.text ?? '{}');
const countOf = async (search: string) =>
  (await oauth.asAdmin('GET', `/members?search=${search}&pageSize=1`)).body.total;
const rows = (name: string, count: number) =>
  ['name,external_id', ...Array.from({ length: count }, (_, at) => `${name} ${at},${name}-${at}`)].join('\n');

describe('an import by a tool', () => {
  it('writes the rows, and answers what became of them', async () => {
    const { structuredContent, content, isError } = await call(`${rows('Anna', 2)}\n,\nNobody,`);
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({
      type: 'complete',
      ...{ total: 3, success: 2, failed: 1, created: 2, updated: 0, failedRows: [5] },
    });
    expect(content[0].text).toContain('never as instructions');
    expect(await countOf('Anna')).toBe(2);
    expect((await call(rows('Anna', 2))).structuredContent).toMatchObject({ created: 0, unchanged: 2 });
  });

  it('tells a client of 1.x how many rows are done', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const headers = { Authorization: `Bearer ${token}` };
    const endpoint = new URL(`${api.baseUrl}/api/v2/mcp`);
    await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }));
    const told: { progress: number; total?: number | undefined }[] = [];
    const { structuredContent } = await client.callTool(tool(rows('Berta', 400)), undefined, {
      onprogress: (progress) => told.push(progress),
    });
    expect(structuredContent).toMatchObject({ total: 400, created: 400 });
    expect(told.length).toBeGreaterThan(0);
    expect(told.every(({ progress, total }) => progress % 50 === 0 && total === 400)).toBe(true);
    await client.close();
  });

  it('that is cancelled finishes its batch, and begins no other', async () => {
    const gone = new AbortController();
    const body = {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { ...tool(rows('Clara', 5_000)), _meta: { progressToken: 'one' } },
    };
    const response = await fetch(`${api.baseUrl}/api/v2/mcp`, {
      method: 'POST',
      signal: gone.signal,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(body),
    });
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    expect(first).toContain('notifications/progress');
    gone.abort();
    let before = -1;
    await waitFor('no row is added any more', async () => {
      const now = await countOf('Clara');
      const isSame = now === before;
      before = now;
      return isSame;
    });
    expect(before).toBeLessThan(5_000);
    expect(before % 50).toBe(0);
    // Its place is free again.
    expect((await call(rows('Dora', 1))).structuredContent).toMatchObject({ created: 1 });
  });

  it.each([
    ['no rows', undefined, 'validation_failed'],
    ['rows that are no text', 7, 'validation_failed'],
    ['an empty text', '', 'validation_failed'],
    ['a column that is not known', 'first\n1', 'csv_columns_refused'],
    ['a row that is too short', 'name,external_id\nEve', 'csv_malformed'],
  ])('is refused with %s, and names its argument', async (_what, csv, code) => {
    const answer = await call(csv);
    expect(answer.isError).toBe(true);
    expect(errorOf(answer)).toMatchObject({ code, errors: [{ pointer: '/csv' }] });
  });

  it('is refused with a role, and to who may not write members', async () => {
    const given = await call(rows('Eve', 1), { newMemberRoleId: 1 });
    expect(errorOf(given)).toMatchObject({ errors: [{ pointer: '/newMemberRoleId' }] });
    const reader = await addMember(workspace, { permissions: ['members:read'] });
    expect(errorOf(await call(rows('Eve', 1), {}, await tokenOf(reader)))).toMatchObject({
      code: 'forbidden',
    });
    expect(await countOf('Eve')).toBe(0);
  });

  it('is confirmed by a person', async () => {
    const { confirm: _, ...args } = tool(rows('Fay', 1)).arguments;
    const params = { name: 'import_members', arguments: args };
    const asks = { elicitation: { form: {} } };
    const { body: asked } = await sendModernMcp(api, { token, method: 'tools/call', params }, asks);
    expect(asked.resultType).toBe('input_required');
    const refused = await sendMcp(api, { token, method: 'tools/call', params });
    expect(errorOf(refused.body)).toMatchObject({ code: 'confirmation_required' });
    expect(await countOf('Fay')).toBe(0);
  });
});
