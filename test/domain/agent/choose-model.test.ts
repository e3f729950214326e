import { describe, expect, it } from 'vitest';
import { AssistantModel } from '../../../db/conversations/models/assistant.js';
import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { stageAssignment } from '../../support/chats/staged-assignment.js';
import { catalogueWith } from '../../support/lib/models.js';
import { createWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { Turn } from './take-round.js';

const suite = useWorkspace();
const root: RevisionTask = {
  name: 'Ask',
  taskType: 'conversation',
  prompt: 'Ask how it went.',
  abilities: [{ abilityType: 'conclude' }],
};
const recommended = 'openai:chat:gpt-4.1-mini';
const small = 'openai:chat:gpt-4.1-nano';
const large = 'openai:chat:gpt-4.1';

/** A chat in its own workspace, with a model for the assistant and optionally one for the chat. */
async function stage(assistantModel: string | null, ownModel?: string) {
  const workspace = await createWorkspace(suite.workspace.database);
  await createAssistant(workspace.context(), {
    name: 'Helper',
    instructions: '',
    isDefault: true,
    chatModelId: assistantModel,
  });
  const options = ownModel === undefined ? {} : { assistantChatModelId: ownModel };
  return stageAssignment(workspace, root, { ...options, member: workspace.admin });
}

describe('the model of a turn', () => {
  it.each([
    ["the chat's own model", small, large, large],
    ["its assistant's model", small, undefined, small],
    ['the recommended model', null, undefined, recommended],
    ['the replacement of a deprecated one', 'openai:chat:gpt-4o', undefined, large],
  ])('is %s', async (_, assistantModel, ownModel, asked) => {
    const staged = await stage(assistantModel, ownModel);

    expect((await new Turn(staged).ask()).modelId).toBe(asked);
  });

  it.each([
    [
      'the replacement of a model that was disabled since',
      catalogueWith({ models: [{ id: large, state: 'disabled', replacement: 'openai:chat:gpt-5' }] }),
      'openai:chat:gpt-5',
    ],
    [
      "the assistant's model instead of one that was disabled since",
      catalogueWith({ models: [{ id: large, state: 'disabled' }] }),
      small,
    ],
    [
      'the recommended model where none that was chosen is left',
      catalogueWith({
        models: [large, small].map((id) => ({ id, state: 'disabled' as const })),
      }),
      recommended,
    ],
    [
      'what another provider recommends, now that it is the one',
      catalogueWith({ models: [{ id: 'house:chat:small', recommended: true }] }, ['house']),
      'house:chat:small',
    ],
  ])('is %s', async (_, models, asked) => {
    const staged = await stage(small, large);
    staged.context.models = models;

    expect((await new Turn(staged).ask()).modelId).toBe(asked);
  });

  it('gets only the allowed settings, where an earlier release stored others', async () => {
    const staged = await stage(small);
    const settings = { temperature: 0.2, n: 8, store: true, max_completion_tokens: 9_999_999, tools: [] };
    await suite.workspace.database.inWorkspace(staged.workspaceId, async (tx) =>
      AssistantModel.query(tx).patch({ chatModelConfig: settings }),
    );

    expect((await new Turn(staged).ask()).modelConfig).toEqual({ temperature: 0.2 });
  });

  it('is missing while no provider is configured', async () => {
    const staged = await stage(small, large);
    staged.context.models = catalogueWith({}, []);

    expect(await new Turn(staged).prepare()).toEqual({ kind: 'no_model' });
  });
});

describe('createChat', () => {
  const create = (models: object) =>
    createChat(suite.workspace.context(), { channel: 'web-chat', ...models });

  it('stores the replacement of a deprecated model', async () => {
    const chat = await create({
      assistantChatModelId: 'openai:chat:gpt-4o',
      assistantRealtimeModelId: 'openai:realtime:gpt-4o-realtime-preview',
    });

    expect(chat).toMatchObject({ chatModelId: large, realtimeModelId: 'openai:realtime:gpt-realtime' });
  });

  it.each([
    ['an unknown chat model', { assistantChatModelId: 'openai:chat:never' }, '/assistantChatModelId'],
    [
      'a disabled chat model',
      { assistantChatModelId: 'openai:chat:gpt-4.5-preview' },
      '/assistantChatModelId',
    ],
    [
      'an unknown realtime model',
      { assistantRealtimeModelId: 'openai:realtime:no' },
      '/assistantRealtimeModelId',
    ],
  ])('rejects %s', async (_, models, pointer) => {
    await expect(create(models)).rejects.toMatchObject({ kind: 'invalid', errors: [{ pointer }] });
  });

  it.each([
    ['chat', { assistantChatModelId: small }],
    ['realtime', { assistantRealtimeModelId: 'openai:realtime:gpt-realtime' }],
  ])('rejects a %s model from a member without chats:write', async (_, models) => {
    const context = suite.workspace.context(suite.workspace.member);

    await expect(createChat(context, { channel: 'web-chat', ...models })).rejects.toThrow('chats:write');
  });

  it('rejects every model while no provider is configured', async () => {
    const context = { ...suite.workspace.context(), models: catalogueWith({}, []) };

    const creating = createChat(context, { channel: 'web-chat', assistantChatModelId: large });

    await expect(creating).rejects.toMatchObject({ kind: 'invalid', code: 'model_unavailable' });
  });
});
