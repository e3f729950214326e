import { beforeAll, describe, expect, it } from 'vitest';
import { AssistantModel } from '../../../../db/conversations/models/assistant.js';
import { archiveWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/archive-workflow-definition.js';
import { createWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addApiKey, addMember, createWorkspace } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin } = useApi();

const guide = { name: 'Guide', instructions: 'Be brief.' };

async function newAssistant(values: object = {}) {
  const answer = await asAdmin('POST', '/assistants', { ...guide, ...values });
  expect(answer.status).toBe(201);
  return answer.body;
}

async function memberOf(assistant: { memberId: number }) {
  const rows = await workspace.within((tx) =>
    tx('members').select('kind', 'name', 'member_role_id', 'deleted_at').where({ id: assistant.memberId }),
  );
  return Object.values(rows[0]);
}

describe('creating an assistant', () => {
  it('creates a member of kind assistant with the first non-admin role', async () => {
    const answer = await asAdmin('POST', '/assistants', guide);

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      uuid: expect.any(String),
      memberId: expect.any(Number),
      name: 'Guide',
      instructions: 'Be brief.',
      chatModelId: null,
      realtimeModelId: null,
      chatModelConfig: {},
      realtimeModelConfig: {},
      isDefault: false,
      enabled: true,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await memberOf(answer.body)).toEqual(['assistant', 'Guide', workspace.roles.member.id, null]);
  });

  it('accepts models with their settings', async () => {
    const values = {
      chatModelId: 'openai:chat:gpt-4.1',
      realtimeModelId: 'openai:realtime:gpt-realtime',
      chatModelConfig: { temperature: 0.2, stop: ['###'] },
      realtimeModelConfig: { voice: 'openai:voice:marin', turn_detection: 'semantic_vad', eagerness: 'low' },
      enabled: false,
    };

    expect(await newAssistant(values)).toMatchObject(values);
  });

  it.each([
    ['no name', { name: undefined }, '/name'],
    ['no instructions', { instructions: undefined }, '/instructions'],
    ['an unknown field', { colour: 'red' }, '/colour'],
    ['a chat model of another type', { chatModelId: 'openai:voice:alloy' }, '/chatModelId'],
    ['a chat model that is disabled', { chatModelId: 'openai:chat:gpt-4.5-preview' }, '/chatModelId'],
    ['a realtime model of no catalogue', { realtimeModelId: 'openai:realtime:never' }, '/realtimeModelId'],
    ['settings that are no object', { chatModelConfig: [] }, '/chatModelConfig'],
    ...Object.entries({
      n: 8,
      service_tier: 'priority',
      store: true,
      tools: [],
      temperature: 3,
      max_completion_tokens: 1_000_000,
      reasoning_effort: 'endless',
    }).map(([setting, value]): [string, object, string] => [
      `the setting ${setting} of ${JSON.stringify(value)}`,
      { chatModelConfig: { temperature: 1, [setting]: value } },
      `/chatModelConfig/${setting}`,
    ]),
    ['voice settings that are no object', { realtimeModelConfig: [] }, '/realtimeModelConfig'],
    ...Object.entries({
      max_output_tokens: 9,
      tools: [],
      turn_detection: 'none',
      threshold: 2,
      silence_duration_ms: 50,
      noise_reduction: 'loud',
      language: 'DE',
      idle_seconds: -1,
      voice: '',
    }).map(([setting, value]): [string, object, string] => [
      `the voice setting ${setting} of ${JSON.stringify(value)}`,
      { realtimeModelConfig: { idle_prompts: 1, [setting]: value } },
      `/realtimeModelConfig/${setting}`,
    ]),
  ])('refuses %s', async (_, values, pointer) => {
    const answer = await asAdmin('POST', '/assistants', { ...guide, ...values });
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, [pointer]]);
  });

  it('keeps one default assistant, also for concurrent requests', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => newAssistant({ isDefault: true })));
    const { body } = await asAdmin('GET', '/assistants?pageSize=100');

    const defaults = body.items.filter((item: { isDefault: boolean }) => item.isDefault);
    expect(defaults).toHaveLength(1);
    expect(made.map((assistant) => assistant.id)).toContain(defaults[0].id);
  });
});

describe('reading an assistant', () => {
  const models = ['chatModelId', 'realtimeModelId', 'chatModelConfig', 'realtimeModelConfig'];
  const configuration = ['instructions', ...models];

  it('shows the configuration with the permission only', async () => {
    const { id } = await newAssistant({ instructions: 'Never mention the trial arm.' });
    const curator = await addMember(workspace, { permissions: ['assistants:read'] });

    for (const member of [workspace.member, curator]) {
      const read = as(member);
      const { body: one } = await read('GET', `/assistants/${id}`);
      const { body: page } = await read('GET', '/assistants?pageSize=100');
      const listed = page.items.find((item: { id: number }) => item.id === id);
      expect(listed).toEqual(one);
      expect(one).toMatchObject({ id, name: expect.any(String), enabled: true, isDefault: false });
      expect(Object.keys(one).filter((name) => configuration.includes(name))).toEqual(
        member === curator ? configuration : [],
      );
    }
  });

  it('shows the settings that an earlier release has stored, and keeps them', async () => {
    const { id, memberId } = await newAssistant();
    const realtimeModelConfig = { speed: 1.2, threshold: 'high' };
    await workspace.within(async (tx) =>
      AssistantModel.query(tx).patch({ realtimeModelConfig }).where({ member_id: memberId }),
    );

    const { body } = await asAdmin('PUT', `/assistants/${id}`, { name: 'Host' });

    expect(body).toMatchObject({ name: 'Host', realtimeModelConfig });
    expect((await asAdmin('GET', `/assistants/${id}`)).body).toMatchObject({ realtimeModelConfig });
  });

  it('returns the configuration to a key with write scope', async () => {
    const { id } = await newAssistant({ instructions: 'Be brief.' });
    const scopes = ['assistants:write'] as const;
    const apiKey = await addApiKey(workspace.database, workspace.admin.accountId, { scopes });

    const answer = await as({ apiKey })('PUT', `/assistants/${id}`, { name: 'Guide' });

    expect(answer.body).toMatchObject({ name: 'Guide', instructions: 'Be brief.' });
  });
});

describe('changing an assistant', () => {
  it('changes only the given fields and renames the member', async () => {
    const assistant = await newAssistant({ chatModelId: 'openai:chat:gpt-4.1' });

    const answer = await asAdmin('PUT', `/assistants/${assistant.id}`, { name: 'Host', chatModelId: null });

    expect(answer).toMatchObject({
      status: 200,
      body: { ...assistant, name: 'Host', chatModelId: null, updatedAt: expect.any(String) },
    });
    expect((await memberOf(assistant))[1]).toBe('Host');
  });

  it('replaces a deprecated model and refuses a disabled one', async () => {
    const { id } = await newAssistant();
    const change = (chatModelId: string) => asAdmin('PUT', `/assistants/${id}`, { chatModelId });

    expect((await change('openai:chat:gpt-4o')).body.chatModelId).toBe('openai:chat:gpt-4.1');
    expect(await change('openai:chat:gpt-4.5-preview')).toMatchObject({
      status: 400,
      body: { code: 'model_unavailable', errors: [{ pointer: '/chatModelId' }] },
    });
    expect((await asAdmin('GET', `/assistants/${id}`)).body.chatModelId).toBe('openai:chat:gpt-4.1');
  });

  it('moves the default flag to the changed assistant', async () => {
    const first = await newAssistant({ isDefault: true });
    const second = await newAssistant();

    await asAdmin('PUT', `/assistants/${second.id}`, { isDefault: true });

    expect((await asAdmin('GET', `/assistants/${first.id}`)).body.isDefault).toBe(false);
    expect((await asAdmin('GET', `/assistants/${second.id}`)).body.isDefault).toBe(true);
  });

  it('refuses unknown fields', async () => {
    const { id } = await newAssistant();

    const answer = await asAdmin('PUT', `/assistants/${id}`, { memberId: 1 });

    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/memberId' }] } });
  });
});

describe('deleting an assistant', () => {
  it('removes the assistant and deletes its member', async () => {
    const assistant = await newAssistant({ isDefault: true });

    expect((await asAdmin('DELETE', `/assistants/${assistant.id}`)).status).toBe(204);

    expect((await asAdmin('GET', `/assistants/${assistant.id}`)).status).toBe(404);
    expect((await asAdmin('DELETE', `/assistants/${assistant.id}`)).status).toBe(404);
    expect((await memberOf(assistant))[3]).not.toBeNull();
  });

  it('returns 409 while a workflow uses the assistant', async () => {
    const assistant = await newAssistant();
    const context = workspace.context();
    const values = { name: 'Intake', assistantMemberId: assistant.memberId };
    const { id } = await createWorkflowDefinition(context, values);

    const refused = await asAdmin('DELETE', `/assistants/${assistant.id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'assistant_in_use' } });

    await archiveWorkflowDefinition(context, id);
    expect((await asAdmin('DELETE', `/assistants/${assistant.id}`)).status).toBe(204);
  });

  it('leaves no workflow with a deleted assistant in a race with workflow creation', async () => {
    for (let round = 0; round < 5; round++) {
      const assistant = await newAssistant();
      const values = { name: 'Intake', assistantMemberId: assistant.memberId };

      const [taken, deletion] = await Promise.allSettled([
        createWorkflowDefinition(workspace.context(), values),
        asAdmin('DELETE', `/assistants/${assistant.id}`),
      ]);

      const deleted = deletion.status === 'fulfilled' && deletion.value.status === 204;
      expect(deleted).toBe(taken.status === 'rejected');
    }
  });
});

it('lists assistants by part of the name, sorted', async () => {
  const own = await createWorkspace(workspace.database);
  for (const name of ['Night guide', 'Day guide', 'Host']) {
    await callAs(api, own, own.admin)('POST', '/assistants', { name, instructions: '' });
  }

  const query = { search: 'GUIDE', sortBy: 'name', sortOrder: 'asc' };
  const { body } = await callAs(api, own, own.member)('GET', '/assistants', undefined, query);

  expect(body).toMatchObject({ total: 2, items: [{ name: 'Day guide' }, { name: 'Night guide' }] });
});

describe('access to assistants', () => {
  let path: string;
  beforeAll(async () => {
    path = `/assistants/${(await newAssistant()).id}`;
  });
  const read = { scope: 'assistants:read', needsPermission: false } as const;
  const write = { scope: 'assistants:write', needsPermission: true } as const;
  const body = { name: 'Guide', instructions: '' };

  describeAccess({ api, workspace, otherWorkspace }, ['list', 'create', 'get', 'update', 'delete'], () => [
    { ...read, method: 'GET', path: '/assistants', namesItem: false },
    { ...write, method: 'POST', path: '/assistants', body, namesItem: false },
    { ...read, method: 'GET', path, namesItem: true },
    { ...write, method: 'PUT', path, body: { name: 'x' }, namesItem: true },
    { ...write, method: 'DELETE', path, namesItem: true },
  ]);
});
