import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../domain/lib/clock.js';
import { confirmedRequest, sendConfirmedMcp, sendMcp, sendModernMcp } from '../../support/api/mcp.js';
import { useOAuth } from '../../support/api/use-oauth.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { useImportRuns } from '../../support/people/import-runs.js';
import { scratchStorage } from '../../support/storage/scratch-storage.js';
import { addMember, addRole } from '../../support/workspace/factories.js';

const { storage, remove } = scratchStorage();
afterAll(remove);
const oauth = useOAuth({ clock: systemClock, eventStreams: { heartbeatMs: 40 }, storage });
const { api, database, workspace } = oauth;
const runs = useImportRuns(() => ({ database, storage }));
afterEach(() => {
  runs.paused = false;
});
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
  arguments: { ...(csv !== undefined && { csv }), ...more },
});
const call = async (csv: unknown, more: object = {}, bearer = token) =>
  (await sendConfirmedMcp(api, { token: bearer, method: 'tools/call', params: tool(csv, more) })).body;
const errorOf = ({ content }: { content: { text: string }[] }) => JSON.parse(content.at(-1)?.text ?? '{}');
const countOf = async (search: string) =>
  (await oauth.asAdmin('GET', `/members?search=${search}&pageSize=1`)).body.total;
/** The imports, in order of their requests. */
const importsOf = () =>
  database.database.readInWorkspace(workspace.workspaceId, (tx) =>
    tx('member_imports').orderBy('id').select('state', 'uuid', 'rows_done as done'),
  ) as Promise<{ state: string; uuid: string; done: number }[]>;

/** Begins a call that waits for its import, of which one batch is written. @returns what ends the request */
async function beginCall(tool: object, count: () => Promise<number>): Promise<() => void> {
  const gone = new AbortController();
  const asked = { token, method: 'tools/call', params: tool };
  const { params, headers } = await confirmedRequest(api, asked);
  const _meta = { ...(params as { _meta: object })._meta, progressToken: 'one' };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } };
  const response = await fetch(`${api.baseUrl}/api/v2/mcp`, {
    method: 'POST',
    signal: gone.signal,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const reader = response.body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  expect(first).toContain('notifications/progress');
  await waitFor('a batch is written', async () => {
    if ((await count()) === 0) await runs.next();
    return (await count()) > 0;
  });
  return () => gone.abort();
}

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

  it('tells a client how many rows are done', async () => {
    const told: { progress: number; total: number }[] = [];
    const asked = { token, method: 'tools/call', params: tool(rows('Berta', 400)) };
    const { params, headers } = await confirmedRequest(api, asked);
    const _meta = { ...(params as { _meta: object })._meta, progressToken: 'one' };
    const response = await fetch(`${api.baseUrl}/api/v2/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } }),
    });
    for (const [, data = '{}'] of (await response.text()).matchAll(/^data: (.*)$/gm)) {
      const message = JSON.parse(data);
      if (message.method === 'notifications/progress') told.push(message.params);
      else expect(message.result.structuredContent).toMatchObject({ total: 400, created: 400 });
    }
    expect(told.length).toBeGreaterThan(0);
    expect(told.every(({ progress, total }) => progress % 50 === 0 && total === 400)).toBe(true);
  });

  it('that is cancelled begins no other batch, as nobody could find it again', async () => {
    runs.paused = true;
    const leave = await beginCall(tool(rows('Clara', 200)), () => countOf('Clara'));
    expect(await countOf('Clara')).toBe(50);
    leave();
    await waitFor('the import has ended', async () => (await importsOf()).at(-1)?.state === 'cancelled');
    runs.paused = false;
    expect(await countOf('Clara')).toBeLessThan(200);
    // Its place is free again.
    expect((await call(rows('Dora', 1))).structuredContent).toMatchObject({ created: 1 });
  });

  it('with a key goes on when it is cancelled, and is found by it', async () => {
    const idempotencyKey = randomUUID();
    runs.paused = true;
    const leave = await beginCall(tool(rows('Gina', 200), { idempotencyKey }), () => countOf('Gina'));
    leave();
    runs.paused = false;
    const result = { total: 200, created: 200, unchanged: 0 };
    expect((await call(rows('Gina', 200), { idempotencyKey })).structuredContent).toMatchObject(result);
    expect((await call(rows('Gina', 200), { idempotencyKey })).structuredContent).toMatchObject(result);
    expect(await countOf('Gina')).toBe(200);
    // What is sent belongs to the key.
    const other = await call(rows('Gina', 3), { idempotencyKey });
    expect(other.structuredContent).toMatchObject({ total: 3, unchanged: 3 });
    const wrong = await call(rows('Gina', 3), { idempotencyKey: 'not visible' });
    expect(errorOf(wrong)).toMatchObject({ code: 'invalid_idempotency_key' });
  });

  it.each([
    ['no rows', undefined, 'validation_failed'],
    ['rows that are no text', 7, 'validation_failed'],
    ['an empty text', '', 'validation_failed'],
    ['a column that is not known', 'first\n1', 'csv_columns_refused'],
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
    const params = tool(rows('Fay', 1));
    const asks = { elicitation: { form: {} } };
    const { body: asked } = await sendModernMcp(api, { token, method: 'tools/call', params }, asks);
    expect(asked.resultType).toBe('input_required');
    const refused = await sendMcp(api, { token, method: 'tools/call', params });
    expect(errorOf(refused.body)).toMatchObject({ code: 'confirmation_required' });
    expect(await countOf('Fay')).toBe(0);
  });
});

describe('an import that is a task', () => {
  const knows = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const begin = async (csv: unknown, more: object = {}, bearer = token) =>
    (await sendConfirmedMcp(api, { token: bearer, method: 'tools/call', params: tool(csv, more) }, knows))
      .body;
  const ask = async (method: string, taskId: string, bearer = token) =>
    (await sendModernMcp(api, { token: bearer, method, params: { taskId } }, knows)).body;
  const noTask = { code: -32602, message: 'There is no such task, or not any more.' };

  it('is followed row by row to the result that the call would have had', async () => {
    runs.paused = true;
    const csv = `${rows('Hanna', 120)}\n,\n`;
    const created = await begin(csv);
    expect(created).toMatchObject({ resultType: 'task', status: 'working', pollIntervalMs: 2_000 });
    const { taskId } = created;
    expect(await ask('tasks/get', taskId)).toMatchObject({
      ...{ status: 'working', statusMessage: '0 of 120 rows are done.' },
    });
    await runs.next();
    const { statusMessage, lastUpdatedAt, createdAt } = await ask('tasks/get', taskId);
    expect(statusMessage).toBe('50 of 120 rows are done.');
    expect(lastUpdatedAt > createdAt).toBe(true);
    runs.paused = false;
    const done = await waitFor('the import is done', async () => {
      const now = await ask('tasks/get', taskId);
      return now.status === 'completed' && now;
    });
    const direct = await call(csv);
    expect(new Set(done.result.structuredContent.createdMembers).size).toBe(120);
    const { createdMembers } = done.result.structuredContent;
    const counts = { created: 120, unchanged: 0, createdMembers };
    expect(done.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { ...direct.structuredContent, ...counts },
      _meta: { untrusted: true },
    });
    expect(done.result.content).toHaveLength(direct.content.length);
  });

  it('is one for one idempotency key, also at once', async () => {
    runs.paused = true;
    const more = { idempotencyKey: randomUUID() };
    const before = (await importsOf()).length;
    const tasks = await Promise.all([0, 1].map(() => begin(rows('Ida', 60), more)));
    expect(await importsOf()).toHaveLength(before + 1);
    runs.paused = false;
    for (const { taskId } of tasks) {
      await waitFor(
        'the import is done',
        async () => (await ask('tasks/get', taskId)).status === 'completed',
      );
    }
    expect(await countOf('Ida')).toBe(60);
  });

  it('is cancelled, and writes nothing more', async () => {
    runs.paused = true;
    const { taskId } = await begin(rows('Jana', 200));
    await runs.next();
    expect(await ask('tasks/cancel', taskId)).toMatchObject({ resultType: 'complete' });
    await runs.next();
    expect(await ask('tasks/get', taskId)).toMatchObject({
      ...{ status: 'cancelled', statusMessage: 'The import was cancelled: 50 of 200 rows are done.' },
    });
    expect(await countOf('Jana')).toBe(50);
    expect(await ask('tasks/cancel', taskId)).toMatchObject({ resultType: 'complete' });
  });

  it('that is refused is answered at once', async () => {
    const answer = await begin('first\n1');
    expect(answer).toMatchObject({ resultType: 'complete', isError: true });
    expect(errorOf(answer)).toMatchObject({ code: 'csv_columns_refused', errors: [{ pointer: '/csv' }] });
  });

  it('whose member may not import any more is completed with the reason', async () => {
    runs.paused = true;
    const member = await addMember(workspace, { permissions: ['members:read', 'members:write'] });
    const bearer = await tokenOf(member);
    const { taskId } = await begin(rows('Kira', 200), {}, bearer);
    await runs.next();
    const role = await addRole(workspace, { permissions: ['members:read'] });
    await workspace.within((tx) =>
      tx('members').where({ id: member.memberId }).update({ member_role_id: role.id }),
    );
    await runs.next();
    const { status, statusMessage, result } = await ask('tasks/get', taskId, bearer);
    expect({ status, statusMessage }).toEqual({
      ...{ status: 'completed', statusMessage: 'The import has ended early: 50 of 200 rows are done.' },
    });
    expect(result.isError).toBe(true);
    expect(errorOf(result)).toMatchObject({ code: 'forbidden' });
    expect(await countOf('Kira')).toBe(50);
  });

  it('is of no use to a colleague', async () => {
    runs.paused = true;
    const { taskId } = await begin(rows('Lea', 60));
    const colleague = await tokenOf(await addMember(workspace, { permissions: scopes }));
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      expect((await ask(method, taskId, colleague)).error).toEqual(noTask);
    }
    expect((await importsOf()).at(-1)).toMatchObject({ state: 'running' });
  });
});
