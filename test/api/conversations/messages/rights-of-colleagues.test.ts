import { beforeAll, expect, it } from 'vitest';
import type { Scope } from '../../../../domain/kernel/scopes.js';
import { useApi } from '../../../support/api/use-api.js';
import { addRecordType, type TestType } from '../../../support/records/use-records.js';
import { publishDefinition } from '../../../support/workspace/definitions.js';
import { addMember } from '../../../support/workspace/factories.js';

const { workspace, as, asAdmin } = useApi();
const secret = 'A diagnosis for few';
let type: TestType;
let workflowId: number;
beforeAll(async () => {
  type = await addRecordType(workspace, true);
  const { memberId } = workspace.member;
  await asAdmin('POST', type.path, { fieldValues: { reason: secret }, memberId });
  const tasks = {
    name: 'Talk',
    taskType: 'conversation',
    prompt: 'Talk.',
    abilities: [
      { abilityType: 'read_data', config: { dataTypeSlug: type.slug } },
      { abilityType: 'save_data', config: { dataTypeSlug: type.slug, fieldSlugs: ['reason'] } },
      { abilityType: 'handoff' },
    ],
  } as const;
  workflowId = (await publishDefinition(workspace, { ...tasks, abilities: [...tasks.abilities] })).workflowId;
});

const desk: Scope[] = ['chats:read', 'chats:write', 'chats:admin'];
const call = (name: string, input: object) => {
  return { type: 'function', function: { name, arguments: JSON.stringify(input) } };
};
const handoff = call('handoff', { reason: 'first' });

/** A colleague with these permissions sends a message with tool calls in a new chat of the member. */
async function send(permissions: readonly string[], ...tool_calls: object[]) {
  const { memberId } = workspace.member;
  const { body: chat } = await asAdmin('POST', '/chats', { channel: 'web-chat', memberId, workflowId });
  const by = as(await addMember(workspace, { permissions }));
  const before = (await by('GET', `/chats/${chat.id}/messages`)).body;
  const answer = await by('POST', `/chats/${chat.id}/send-assistant-message`, {
    message: 'Done.',
    tool_calls,
  });
  const after = (await by('GET', `/chats/${chat.id}/messages`)).body;
  return { answer, before, after, by, chatId: chat.id };
}
const recordCount = async () => (await asAdmin('GET', type.path)).body.total;

it.each([
  ['data:read', 'read', () => call('read_data', { dataType: type.slug })],
  ['records:write', 'save', () => call('save_data', { reason: 'Cough' })],
])(
  'refuses tool calls to a colleague without %s, and does and stores nothing',
  async (needed, _verb, made) => {
    const stored = await recordCount();
    const { answer, before, after, by, chatId } = await send(desk, handoff, made());
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: expect.stringContaining(needed) },
    });
    expect(after).toEqual(before);
    expect(JSON.stringify(after)).not.toContain(secret);
    expect((await by('GET', `/chats/${chatId}`)).body).toMatchObject({ paused: false });
    expect((await by('GET', type.path)).body.total).toBe(0);
    expect(await recordCount()).toBe(stored);
  },
);

it.each([
  ['of every type', () => ['data:read', 'records:write']],
  ['of this type', () => [`data:read:${type.slug}`, `data:write:${type.slug}`]],
])('runs them for a colleague with the rights %s', async (_what, rights) => {
  const calls = [call('read_data', { dataType: type.slug }), call('save_data', { reason: 'Cough' })];
  const { answer, after, by, chatId } = await send([...desk, ...rights()], ...calls);
  expect(answer.status).toBe(201);
  const called = after.find((message: { tool_calls: object[] }) => message.tool_calls.length === 2);
  const path = `/chats/${chatId}/tool-calls/${called.tool_calls[0].id}/messages`;
  const [result] = (await by('GET', path)).body;
  expect(result.content).toContain(secret);
});

it('refuses a key that lacks the scope, whatever its role may', async () => {
  const scopes: Scope[] = [...desk, 'workspace:read'];
  const role = workspace.roles.admin;
  const by = as(await addMember(workspace, { role, scopes }));
  const { memberId } = workspace.member;
  const { body: chat } = await asAdmin('POST', '/chats', { channel: 'web-chat', memberId, workflowId });
  const tool_calls = [call('read_data', { dataType: type.slug })];
  const answer = await by('POST', `/chats/${chat.id}/send-assistant-message`, {
    message: 'Done.',
    tool_calls,
  });
  expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('data:read') } });
});
