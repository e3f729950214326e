import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SummaryOutcome } from '../../../../workflows/contracts/commands.js';
import type { SummaryRunInput } from '../../../../workflows/contracts/runs.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMember } from '../../../support/workspace/factories.js';

/** The requests that reached the runs, and what these answer. */
const asked: SummaryRunInput[] = [];
let outcome: SummaryOutcome = 'summarized';

const { api, workspace, otherWorkspace, as } = useApi({
  runs: {
    summarizeChat: async (run) => {
      asked.push(run);
      return outcome;
    },
  },
});

const newChat = async (member = workspace.member): Promise<number> =>
  (await as(member)('POST', '/chats', { channel: 'web-chat' })).body.id;

describe('POST /chats/{chat_id}/summarize', () => {
  it('returns the chat, and passes on ids only', async () => {
    const chatId = await newChat();
    const { status, body } = await as(workspace.member)('POST', `/chats/${chatId}/summarize`);

    expect(status).toBe(200);
    expect(body).toMatchObject({ id: chatId, title: null, summary: null, labels: [] });
    expect(asked.at(-1)).toEqual({
      workspaceId: workspace.workspaceId,
      workspaceUuid: workspace.workspaceUuid,
      chatId,
      memberId: workspace.member.memberId,
      requestUuid: expect.any(String),
      updateLabels: false,
    });
  });

  it.each([
    ['chat_gone', 404, 'not_found'],
    ['nothing_said', 409, 'nothing_to_summarize'],
    ['chat_changed', 409, 'chat_changed'],
    ['token_budget', 409, 'token_budget'],
    ['too_many', 429, 'rate_limited'],
    ['no_model', 500, 'summarization_failed'],
    ['failed', 500, 'summarization_failed'],
  ] as const)('tells what became of it as a problem: %s is %i %s', async (became, status, code) => {
    const chatId = await newChat();
    outcome = became;
    const answer = await as(workspace.member)('POST', `/chats/${chatId}/summarize`);
    outcome = 'summarized';

    expect(answer).toMatchObject({ status, body: { status, code, requestId: expect.any(String) } });
    expect(answer.headers.get('Content-Type')).toContain('application/problem+json');
  });

  it('passes update_labels on, and refuses what is no boolean, and a body', async () => {
    const path = `/chats/${await newChat()}/summarize`;
    const call = as(workspace.member);
    await call('POST', path, undefined, { update_labels: 'true' });
    expect(asked.at(-1)).toMatchObject({ updateLabels: true });
    expect((await call('POST', path, undefined, { update_labels: 'some' })).status).toBe(400);
    expect((await call('POST', path, { title: 'Mine' })).status).toBe(400);
  });

  it('finds the run of the first request by the Idempotency-Key of the same caller and chat', async () => {
    const [one, other] = [await newChat(), await newChat()];
    const key = randomUUID();
    const uuidOf = async (
      chatId: number,
      options: { key?: string; query?: object; member?: typeof workspace.member },
    ) => {
      const { member = workspace.member, query = {} } = options;
      const headers = options.key === undefined ? {} : { 'Idempotency-Key': options.key };
      const answer = await api.request('POST', workspace.path(`/chats/${chatId}/summarize`), {
        apiKey: member.apiKey,
        headers,
        query: query as never,
      });
      expect(answer.status).toBe(200);
      return asked.at(-1)?.requestUuid ?? '';
    };

    const first = await uuidOf(one, { key });

    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await uuidOf(one, { key })).toBe(first);
    const others = [
      await uuidOf(other, { key }),
      await uuidOf(one, { key: randomUUID() }),
      await uuidOf(one, { key, query: { update_labels: 'true' } }),
      await uuidOf(one, { key, member: workspace.admin }),
      await uuidOf(one, {}),
      await uuidOf(one, {}),
    ];
    expect(new Set([first, ...others]).size).toBe(7);
  });

  it('refuses an Idempotency-Key that is none', async () => {
    const answer = await api.request('POST', workspace.path(`/chats/${await newChat()}/summarize`), {
      apiKey: workspace.member.apiKey,
      headers: { 'Idempotency-Key': 'two words' },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_idempotency_key' } });
  });

  it('is refused for a chat of another member without chats:write, before any run is asked', async () => {
    const path = `/chats/${await newChat()}/summarize`;
    const reader = await addMember(workspace, { permissions: ['chats:read'] });
    const count = asked.length;
    expect((await as(reader)('POST', path)).status).toBe(403);
    expect((await as(workspace.admin)('POST', '/chats/999999999/summarize')).status).toBe(404);
    expect(asked).toHaveLength(count);
  });
});

describe('access to summaries', () => {
  let path: string;
  beforeAll(async () => {
    path = `/chats/${await newChat(workspace.admin)}/summarize`;
  });

  describeAccess({ api, workspace, otherWorkspace }, ['POST /chats/{chat_id}/summarize'], () => [
    { method: 'POST', path, scope: 'chats:write', needsPermission: true, namesItem: true },
  ]);
});
