import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertTokenUsage } from '../../../../db/agent/token-usage.js';
import { addUsage } from '../../../../domain/agent/model-calls.js';
import { priceCall } from '../../../../domain/kernel/ai-models/credits.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { catalogueWith } from '../../../support/lib/models.js';
import { addMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as } = useApi();

const newChat = async (member = workspace.member): Promise<number> =>
  (await as(member)('POST', '/chats', { channel: 'web-chat' })).body.id;

/** Records a model call of the agent in the chat, as a turn does. */
async function used(chatId: number, modelId: string, prompt: number, completion: number, cached = 0) {
  const tokens = { promptTokens: prompt, completionTokens: completion, cachedTokens: cached };
  await workspace.within((tx) =>
    insertTokenUsage(tx, {
      chatId,
      turnUuid: null,
      callId: randomUUID(),
      createdAt: new Date(),
      ...tokens,
      audioInputTokens: 0,
      audioOutputTokens: 0,
      isEstimated: false,
      totalTokens: prompt + completion,
      ...priceCall(catalogueWith(), modelId, tokens),
    }),
  );
}

/** Records that speech of a call was written down. */
async function heard(chatId: number, speechSeconds: number) {
  const none = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, totalTokens: 0 };
  await workspace.within((tx) =>
    insertTokenUsage(tx, {
      chatId,
      turnUuid: null,
      callId: randomUUID(),
      createdAt: new Date(),
      ...none,
      ...silent,
      isEstimated: false,
      modelId: 'openai:stt:whisper-1',
      multiplier: 30,
      inputMultiplier: 1,
      outputMultiplier: 1,
      cachedMultiplier: 1,
      credits: (speechSeconds / 60) * 30,
      speechSeconds,
    }),
  );
}

const silent = { audioInputTokens: 0, audioOutputTokens: 0 };
const noVoice = { sttUsage: [], ttsUsage: [], voiceDurationSeconds: 0 };

describe('GET /chats/{chat_id}/token-usage', () => {
  it('returns zero for a new chat', async () => {
    const answer = await as(workspace.member)('GET', `/chats/${await newChat()}/token-usage`);

    const none = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, totalTokens: 0, credits: 0 };
    const body = { ...none, ...silent, usageByModel: [], ...noVoice };
    expect(answer).toEqual({ status: 200, headers: expect.anything(), body });
  });

  it('returns totals and usage by model of this chat only', async () => {
    const chatId = await newChat();
    await used(chatId, 'openai:chat:gpt-4.1', 1_000, 100, 400);
    await used(chatId, 'openai:chat:gpt-4.1-mini', 10, 1);
    await used(chatId, 'openai:chat:gpt-4.1', 1_000, 100, 400);
    await used(await newChat(), 'openai:chat:gpt-4.1', 5, 5);

    const { body } = await as(workspace.member)('GET', `/chats/${chatId}/token-usage`);

    const weights = { inputMultiplier: 1, outputMultiplier: 4, cachedMultiplier: 0.25 };
    expect(body).toEqual({
      promptTokens: 2_010,
      completionTokens: 201,
      cachedTokens: 800,
      totalTokens: 2_211,
      credits: 11.014,
      ...silent,
      ...noVoice,
      usageByModel: [
        {
          model: 'openai:chat:gpt-4.1',
          promptTokens: 2_000,
          completionTokens: 200,
          cachedTokens: 800,
          totalTokens: 2_200,
          credits: 11,
          multiplier: 5,
          ...weights,
          ...silent,
        },
        {
          model: 'openai:chat:gpt-4.1-mini',
          promptTokens: 10,
          completionTokens: 1,
          cachedTokens: 0,
          totalTokens: 11,
          credits: 0.014,
          multiplier: 1,
          ...weights,
          ...silent,
        },
      ],
    });
  });

  it('has the speech that was written down by its seconds, and its credits in the totals', async () => {
    const chatId = await newChat();
    await used(chatId, 'openai:chat:gpt-4.1-mini', 1_000, 0);
    for (const speechSeconds of [30, 15.5]) await heard(chatId, speechSeconds);

    const { body } = await as(workspace.member)('GET', `/chats/${chatId}/token-usage`);

    const model = 'openai:stt:whisper-1';
    expect(body.sttUsage).toEqual([{ model, credits: 22.75, multiplier: 30, durationSeconds: 45.5 }]);
    expect(body.usageByModel).toMatchObject([{ model: 'openai:chat:gpt-4.1-mini', credits: 1 }]);
    expect(body.usageByModel[0]).not.toHaveProperty('speechSeconds');
    expect(body).toMatchObject({ credits: 23.75, ttsUsage: [] });
  });

  it('requires chats:read for a chat of another member', async () => {
    const path = `/chats/${await newChat()}/token-usage`;
    const reader = await addMember(workspace, { permissions: ['chats:read'] });
    const stranger = await addMember(workspace, { role: workspace.roles.member });
    expect((await as(reader)('GET', path)).status).toBe(200);
    expect((await as(stranger)('GET', path)).status).toBe(403);
  });
});

describe('the credits that remain', () => {
  it('are shown to those who may read the workspace, once it has a budget', async () => {
    const path = `/chats/${await newChat()}/token-usage`;
    const reader = await addMember(workspace, { permissions: ['chats:read'] });
    expect((await as(workspace.admin)('GET', path)).body).not.toHaveProperty('creditsRemaining');

    await as(workspace.admin)('PUT', '/credit-budget', { monthlyCredits: 70 });

    expect((await as(workspace.admin)('GET', path)).body).toMatchObject({
      creditsRemaining: 70,
      extraUsageEnabled: false,
    });
    for (const member of [workspace.member, reader]) {
      const { body } = await as(member)('GET', path);
      expect(body).not.toHaveProperty('creditsRemaining');
      expect(body).not.toHaveProperty('extraUsageEnabled');
    }
  });
});

describe('GET /token-usage', () => {
  const get = (query: object) => as(workspace.admin)('GET', '/token-usage', undefined, query as never);

  it.each([
    [{ from: '2026-02-30' }, '/from'],
    [{ to: 'today' }, '/to'],
    [{ from: '2026-03-02', to: '2026-03-01' }, '/to'],
    [{ from: '2024-01-01', to: '2025-01-02' }, '/to'],
    [{ groupBy: 'member' }, '/groupBy'],
    [{ workflowId: 'one' }, '/workflowId'],
  ])('refuses %j and names the parameter', async (query, pointer) => {
    expect(await get(query)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  it.each([
    ['day', 'day'],
    ['month', 'month'],
    ['workflow', 'workflowId'],
    ['model', 'model'],
  ])('names the items of a sum by %s with the field %s', async (groupBy, field) => {
    const { workspaceId } = workspace;
    await workspace.database.inWorkspace(workspaceId, (tx) =>
      addUsage(
        tx,
        { memberId: workspace.member.memberId, definitionId: null, modelId: 'openai:chat:gpt-5' },
        { ...silent, promptTokens: 1, completionTokens: 2, cachedTokens: 0, totalTokens: 3, credits: 0.5 },
        new Date('2025-02-03T10:00:00Z'),
      ),
    );

    const { status, body } = await get({ from: '2025-02-01', to: '2025-02-28', groupBy });

    const key = { day: '2025-02-03', month: '2025-02', workflowId: null, model: 'openai:chat:gpt-5' };
    expect(status).toBe(200);
    expect(body.items).toMatchObject([{ [field]: key[field as keyof typeof key] }]);
    expect(body).toMatchObject({ timezone: 'UTC', from: '2025-02-01', to: '2025-02-28' });
  });

  it('returns sums of zero and no items where nothing was used', async () => {
    const { body } = await get({ from: '1999-01-01', to: '1999-12-31', groupBy: 'month' });
    expect(body).toMatchObject({ calls: 0, totalTokens: 0, credits: 0, items: [] });
  });

  it('sums one workflow or one model if asked to', async () => {
    const query = { from: '2025-02-01', to: '2025-02-28' };
    expect((await get({ ...query, workflowId: 999_999 })).body).toMatchObject({ calls: 0 });
    expect((await get({ ...query, model: 'openai:chat:gpt-4.1' })).body).toMatchObject({ calls: 0 });
    expect((await get({ ...query, model: 'openai:chat:gpt-5' })).body.calls).toBeGreaterThan(0);
  });
});

describe('GET /token-usage/by-member', () => {
  it('lists the members of a month and refuses one that does not exist', async () => {
    const get = (query: object) =>
      as(workspace.admin)('GET', '/token-usage/by-member', undefined, query as never);
    const { body } = await get({ month: '2025-02' });
    expect(body).toMatchObject({ total: 1, items: [{ memberId: workspace.member.memberId }] });
    expect((await get({ month: '2025-02', memberId: workspace.admin.memberId })).body.items).toEqual([]);
    expect((await get({ month: '2025-13' })).status).toBe(400);
  });
});

describe('access to token usage', () => {
  let path: string;
  beforeAll(async () => {
    path = `/chats/${await newChat(workspace.admin)}/token-usage`;
  });

  describeAccess(
    { api, workspace, otherWorkspace },
    ['token usage of a chat', 'token usage', 'token usage by member'],
    () => [
      { method: 'GET', path, scope: 'chats:read', needsPermission: true, namesItem: true },
      {
        method: 'GET',
        path: '/token-usage',
        scope: 'workspace:read',
        needsPermission: true,
        namesItem: false,
      },
      {
        method: 'GET',
        path: '/token-usage/by-member',
        scope: 'members:read',
        needsPermission: true,
        namesItem: false,
      },
    ],
  );
});
