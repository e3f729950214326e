import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertTokenUsage } from '../../../../db/agent/token-usage.js';
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
  await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
    insertTokenUsage(tx, {
      chatId,
      turnUuid: null,
      callId: randomUUID(),
      createdAt: new Date(),
      ...tokens,
      totalTokens: prompt + completion,
      ...priceCall(catalogueWith(), modelId, tokens),
    }),
  );
}

describe('GET /chats/{chat_id}/token-usage', () => {
  it('returns zero for a new chat', async () => {
    const answer = await as(workspace.member)('GET', `/chats/${await newChat()}/token-usage`);

    const none = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, totalTokens: 0, credits: 0 };
    expect(answer).toEqual({ status: 200, headers: expect.anything(), body: { ...none, usageByModel: [] } });
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
        },
      ],
    });
  });

  it('requires chats:read for a chat of another member', async () => {
    const path = `/chats/${await newChat()}/token-usage`;
    const reader = await addMember(workspace, { permissions: ['chats:read'] });
    const stranger = await addMember(workspace, { role: workspace.roles.member });
    expect((await as(reader)('GET', path)).status).toBe(200);
    expect((await as(stranger)('GET', path)).status).toBe(403);
  });
});

describe('access to token usage', () => {
  let path: string;
  beforeAll(async () => {
    path = `/chats/${await newChat(workspace.admin)}/token-usage`;
  });

  describeAccess(
    () => ({ api, workspace, otherWorkspace }),
    ['token usage'],
    () => [{ method: 'GET', path, scope: 'chats:read', needsPermission: true, namesItem: true }],
  );
});
