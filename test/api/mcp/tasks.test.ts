import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demo as demoIds, pathParameterExamples } from '../../../api/http/demo.js';
import { TaskHandles } from '../../../api/mcp/tasks/task-handles.js';
import type { SummaryState } from '../../../domain/conversations/summaries/summary-runs.js';
import { oauthScopes } from '../../../domain/identity/oauth/oauth-scopes.js';
import type { SummaryRunInput } from '../../../workflows/contracts/runs.js';
import { startApi } from '../../support/api/api.js';
import { sendConfirmedMcp, sendMcp, sendModernMcp } from '../../support/api/mcp.js';
import { useDemoApi } from '../../support/api/use-demo-api.js';
import { testEncryptionKey } from '../../support/lib/encryption.js';

/** The runs of summaries, by request, as Temporal would keep them for all processes. */
const runs = new Map<string, SummaryState>();
let asked: SummaryRunInput | undefined;
let cancelled: string[] = [];
const summaryRuns = {
  summarizeChat: async (
    run: SummaryRunInput,
    { signal, begun }: { signal?: AbortSignal | undefined; begun?: (() => void) | undefined } = {},
  ) => {
    asked = run;
    if (!runs.has(run.requestUuid)) runs.set(run.requestUuid, { kind: 'running' });
    begun?.();
    signal?.throwIfAborted();
    return 'summarized' as const;
  },
  findSummary: async (requestUuid: string) => runs.get(requestUuid),
  cancelSummary: async (requestUuid: string) => {
    cancelled.push(requestUuid);
    runs.set(requestUuid, { kind: 'cancelled' });
  },
};
const { api, demo, toolToken } = useDemoApi({ voice: true, runs: summaryRuns });

const extension = 'io.modelcontextprotocol/tasks';
const knows = { extensions: { [extension]: {} } };
const { chat_id } = pathParameterExamples as { chat_id: number };
const summarize = { name: 'summarize_chat', arguments: { chat_id } };
let token = '';
beforeAll(async () => {
  token = await toolToken('admin@clinic.example', 'clinic', oauthScopes);
});
beforeEach(() => {
  runs.clear();
  cancelled = [];
});

type Place = Pick<typeof api, 'baseUrl'>;

async function call(tool: object, capabilities: object = knows, bearer = token) {
  const params = tool as { name: string };
  return (await sendModernMcp(api, { token: bearer, method: 'tools/call', params }, capabilities)).body;
}

async function ask(method: string, taskId: unknown, { bearer = token, at = api as Place, as = knows } = {}) {
  const params = { taskId, ...(method === 'tasks/update' && { inputResponses: {} }) } as { taskId: string };
  return sendModernMcp(at, { token: bearer, method, params }, as);
}

const get = async (taskId: string, more: Parameters<typeof ask>[2] = {}) =>
  (await ask('tasks/get', taskId, more)).body;
const noTask = { code: -32602, message: 'There is no such task, or not any more.' };

describe('a summary', () => {
  it('is a task for a client that knows tasks, which follows its run', async () => {
    const created = await call(summarize);
    expect(created).toMatchObject({
      resultType: 'task',
      taskId: expect.any(String),
      status: 'working',
      createdAt: expect.any(String),
      lastUpdatedAt: created.createdAt,
      ttlMs: 86_400_000,
      pollIntervalMs: 2_000,
    });
    expect(created).not.toHaveProperty('structuredContent');
    const { taskId } = created;
    expect(await get(taskId)).toMatchObject({
      resultType: 'complete',
      ...{ taskId, status: 'working', statusMessage: 'The model reads the chat.', pollIntervalMs: 2_000 },
    });
    runs.set(asked?.requestUuid ?? '', { kind: 'ended', outcome: 'summarized' });
    const done = await get(taskId);
    expect(done).toMatchObject({ status: 'completed', result: { structuredContent: { id: chat_id } } });
    // What a client that waits is answered.
    const { content, structuredContent, _meta } = await call(summarize, {});
    expect(done.result).toMatchObject({ content, structuredContent });
    expect(_meta.untrusted).toBe(true);
    expect(done.result._meta.untrusted).toBe(true);
  });

  it('is answered at once to clients that do not know tasks', async () => {
    expect(await call(summarize, {})).toMatchObject({
      resultType: 'complete',
      structuredContent: { id: chat_id },
    });
    const { body } = await sendMcp(api, { token, method: 'tools/call', params: summarize });
    expect(body.structuredContent).toMatchObject({ id: chat_id });
    expect(body).not.toHaveProperty('taskId');
  });

  it('that comes to nothing is a completed task with the error as its result', async () => {
    const { taskId } = await call(summarize);
    runs.set(asked?.requestUuid ?? '', { kind: 'ended', outcome: 'token_budget' });
    const { status, result } = await get(taskId);
    expect(status).toBe('completed');
    expect(result.isError).toBe(true);
    expect(JSON.parse(result.content[0].text)).toMatchObject({ code: 'token_budget' });
  });

  it('that cannot be begun is answered at once', async () => {
    const answer = await call({ ...summarize, arguments: { chat_id: 999_999_999 } });
    expect(answer).toMatchObject({ resultType: 'complete', isError: true });
  });

  it('is one run for one idempotency key', async () => {
    const keyed = { ...summarize, arguments: { chat_id, idempotencyKey: randomUUID() } };
    const first = await call(keyed);
    const second = await call(keyed);
    expect(runs.size).toBe(1);
    runs.set(asked?.requestUuid ?? '', { kind: 'ended', outcome: 'summarized' });
    for (const { taskId } of [first, second]) expect((await get(taskId)).status).toBe('completed');
  });

  it('is cancelled through its run', async () => {
    const { taskId } = await call(summarize);
    const { body } = await ask('tasks/cancel', taskId);
    expect(body).toMatchObject({ resultType: 'complete' });
    expect(cancelled).toEqual([asked?.requestUuid]);
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
    expect((await ask('tasks/update', taskId)).body).toMatchObject({ resultType: 'complete' });
  });

  it('is followed at any process', async () => {
    const { taskId } = await call(summarize);
    const other = await startApi(demo.database.database, { publicUrl: api.baseUrl, runs: summaryRuns });
    expect(await get(taskId, { at: other })).toMatchObject({ taskId, status: 'working' });
    await other.close();
  });

  it('whose run is forgotten is no task any more', async () => {
    const { taskId } = await call(summarize);
    runs.clear();
    expect((await get(taskId)).error).toEqual(noTask);
  });
});

describe('a phone call', () => {
  it('is a task until it has ended', async () => {
    const { chatWithoutWorkflow, phoneNumberId } = demoIds;
    const place = {
      name: 'place_outbound_call',
      arguments: { chat_id: chatWithoutWorkflow, phoneNumberId },
    };
    const created = await call(place);
    expect(created).toMatchObject({ resultType: 'task', status: 'working', pollIntervalMs: 5_000 });
    const { taskId } = created;
    expect(await get(taskId)).toMatchObject({
      status: 'working',
      statusMessage: 'The call is pending. Only those who speak in it end it.',
    });
    // Nothing ends a call but those who speak in it.
    expect((await ask('tasks/cancel', taskId)).body).toMatchObject({ resultType: 'complete' });
    expect((await get(taskId)).status).toBe('working');
    const { database, seeded } = demo;
    const { id: workspaceId = 0 } =
      (await database.database.identity.workspaces.findByUuid(seeded.workspaceUuid)) ?? {};
    await database.database.inWorkspace(workspaceId, (tx) =>
      tx('phone_calls').update({ status: 'no-answer', finished_at: new Date(), updated_at: new Date() }),
    );
    expect(await get(taskId)).toMatchObject({
      status: 'completed',
      statusMessage: 'The call has ended: no-answer.',
      result: { structuredContent: { status: 'no-answer', finishedAt: expect.any(String) } },
    });
  });
});

describe('the id of a task', () => {
  it('is of no use to others, nor to those who have lost their access', async () => {
    const { taskId } = await call(summarize);
    const csv = 'name,external_id\nAda,of-a-task';
    const params = { name: 'import_members', arguments: { csv } };
    const request = { token, method: 'tools/call', params };
    const { body: imported } = await sendConfirmedMcp(api, request, knows);
    const others = {
      ofWorkspace: await toolToken('admin@elsewhere.example', 'elsewhere', oauthScopes),
      member: await toolToken('member@clinic.example', 'clinic', oauthScopes),
    };
    for (const bearer of Object.values(others)) {
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
        expect((await ask(method, taskId, { bearer })).body.error).toEqual(noTask);
        expect((await ask(method, imported.taskId, { bearer })).body.error).toEqual(noTask);
      }
    }
    expect((await get(imported.taskId)).status).toBe('working');
    expect(cancelled).toEqual([]);
    const reading = await toolToken('admin@clinic.example', 'clinic', ['chats:read']);
    expect((await get(taskId, { bearer: reading })).error).toEqual({
      code: -32602,
      message: 'The token lacks the scope chats:write.',
    });
  });

  it('cannot be made up, nor be changed', async () => {
    const { taskId } = await call(summarize);
    const handles = new TaskHandles('another secret than that of the service');
    const thing = { kind: 'summary', chatId: chat_id, requestUuid: asked?.requestUuid ?? '' } as const;
    const actor = { workspaceUuid: demo.seeded.workspaceUuid, memberId: 1 } as never;
    const forged = await handles.seal(actor, { thing, createdAt: Date.now() });
    for (const wrong of [forged, `${taskId}x`, taskId.slice(0, -2), randomUUID(), 'x'.repeat(1_000)]) {
      expect((await get(wrong)).error).toEqual(noTask);
    }
    for (const wrong of ['', 7, undefined]) expect((await get(wrong as string)).error.code).toBe(-32602);
  });

  it('is sealed for workspace and member', async () => {
    const handles = new TaskHandles(testEncryptionKey);
    const owner = { workspaceUuid: 'one', memberId: 1 } as never;
    const ref = { thing: { kind: 'call', callId: 7 }, createdAt: 5 } as const;
    const taskId = await handles.seal(owner, ref);
    expect(await handles.open(owner, taskId)).toEqual(ref);
    expect(await handles.open({ workspaceUuid: 'one', memberId: 2 } as never, taskId)).toBeUndefined();
    expect(await handles.open({ workspaceUuid: 'two', memberId: 1 } as never, taskId)).toBeUndefined();
  });
});

describe('the extension', () => {
  it('is told to clients of the version that has it', async () => {
    const { body } = await sendModernMcp(api, { token, method: 'server/discover' });
    expect(body.capabilities.extensions).toEqual({ [extension]: {} });
    const legacy = await sendMcp(api, { token, method: 'tasks/get', params: { taskId: 'one' } });
    expect(legacy.body.error.code).toBe(-32601);
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'is required of a client that sends %s',
    async (method) => {
      const { taskId } = await call(summarize);
      const { status, body } = await ask(method, taskId, { as: {} as typeof knows });
      expect(status).toBe(400);
      expect(body.error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: { [extension]: {} } } },
      });
    },
  );

  it('wants the id of the task in the header, too', async () => {
    const { taskId } = await call(summarize);
    const params = { taskId };
    const headers = { 'Mcp-Name': 'another' };
    const { status, body } = await sendModernMcp(api, { token, method: 'tasks/get', params, headers }, knows);
    expect(status).toBe(400);
    expect(body.error.code).toBe(-32020);
  });
});
