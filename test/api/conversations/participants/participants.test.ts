import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertParticipants } from '../../../../db/conversations/chat-details.js';
import { Turn } from '../../../domain/agent/take-round.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { type FreeChat, stageFreeChat } from '../../../support/chats/free-chat.js';
import { sendFile } from '../../../support/files/send-file.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi();

let chat: FreeChat;
let path: string;
const stageEach = () =>
  beforeEach(async () => {
    chat = await stageFreeChat(workspace);
    path = `/chats/${chat.chatId}/participants`;
  });

interface Participant {
  id: number;
  memberId: number;
  role: string;
}

const list = async (): Promise<Participant[]> => (await asAdmin('GET', path)).body;
const add = (memberId: number, role?: string) => asAdmin('POST', path, { memberId, role });
const change = (id: number, body: object) => asAdmin('PUT', `${path}/${id}`, body);
const remove = (id: number) => asAdmin('DELETE', `${path}/${id}`);
const rolesOf = async () => (await list()).map(({ memberId, role }) => ({ memberId, role }));

async function addOne(role?: string): Promise<{ member: TestMember; id: number }> {
  const member = await addMember(workspace);
  return { member, id: (await add(member.memberId, role)).body.id };
}

/** The participant that is the chat's assistant. */
async function assistant(): Promise<Participant> {
  const found = (await list()).find(({ role }) => role === 'assistant');
  if (found === undefined) throw new Error('the chat has no assistant');
  return found;
}

describe('access to participants', () => {
  let items: string;
  let item: string;
  beforeAll(async () => {
    const { chatId } = await stageFreeChat(workspace);
    const member = await addMember(workspace);
    items = `/chats/${chatId}/participants`;
    item = `${items}/${(await asAdmin('POST', items, { memberId: member.memberId })).body.id}`;
  });

  describeAccess({ api, workspace, otherWorkspace }, ['list', 'change', 'remove'], () => {
    const scope = 'chats:write' as const;
    const every = { scope, needsPermission: true, namesItem: true };
    return [
      { ...every, method: 'GET', path: items },
      { ...every, method: 'PUT', path: item, body: { role: 'operator' } },
      { ...every, method: 'DELETE', path: item, served: 204 },
    ];
  });
});

describe('adding a participant', () => {
  stageEach();

  it('lets the member read the chat and write in it, as a contributor by default', async () => {
    const member = await addMember(workspace);
    const before = await as(member)('GET', `/chats/${chat.chatId}`);

    const added = await add(member.memberId);

    expect(added).toMatchObject({
      status: 201,
      body: { status: 'success', message: expect.any(String), id: expect.any(Number) },
    });
    expect(before.status).toBe(403);
    const read = await as(member)('GET', `/chats/${chat.chatId}`);
    expect(read.body.participants).toContainEqual(
      expect.objectContaining({ memberId: member.memberId, role: 'contributor' }),
    );
    const message = await as(member)('POST', `/chats/${chat.chatId}/messages`, { content: 'Hello' });
    expect(message).toMatchObject({ status: 201, body: { memberId: member.memberId } });
  });

  it('needs the permission chats:write, in an own chat as well', async () => {
    const { memberId } = await addMember(workspace);
    const answer = await asMember('POST', path, { memberId });
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  it('needs the permission chats:read as well: it is no way around reading', async () => {
    const writer = await addMember(workspace, { permissions: ['chats:write'] });

    const answer = await as(writer)('POST', path, { memberId: writer.memberId });

    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await as(writer)('GET', `/chats/${chat.chatId}`)).status).toBe(403);
  });

  it('is refused in a direct chat', async () => {
    const direct = await asMember('POST', '/chats/dm', { memberId: (await assistant()).memberId });
    const { memberId } = await addMember(workspace);

    const answer = await asAdmin('POST', `/chats/${direct.body.id}/participants`, { memberId });

    expect(answer).toMatchObject({ status: 409, body: { code: 'direct_chat' } });
  });

  it('adds a member once, however many ask at once', async () => {
    const { memberId } = await addMember(workspace);

    const answers = await Promise.all(Array.from({ length: 20 }, () => add(memberId)));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['400 duplicate_participant']),
    );
    expect((await rolesOf()).filter((one) => one.memberId === memberId)).toHaveLength(1);
  });

  it('refuses the member of the chat and its assistant, which take part already', async () => {
    for (const { memberId } of [workspace.member, await assistant()]) {
      const answer = await add(memberId, 'contributor');
      expect(answer).toMatchObject({ status: 400, body: { code: 'duplicate_participant' } });
      expect(pointersOf(answer.body)).toEqual(['/memberId']);
    }
  });

  it('refuses a person as an assistant, and an unknown role', async () => {
    const { memberId } = await addMember(workspace);

    expect(await add(memberId, 'assistant')).toMatchObject({ status: 400, body: { code: 'invalid_role' } });
    const unknown = await add(memberId, 'owner');
    expect(unknown).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(pointersOf(unknown.body)).toEqual(['/role']);
  });

  it('finds no member of another workspace, and no chat that does not exist', async () => {
    const stranger = await addMember(otherWorkspace);
    const { memberId } = await addMember(workspace);

    expect(await add(stranger.memberId)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const elsewhere = await asAdmin('POST', '/chats/999999999/participants', { memberId });
    expect(elsewhere).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('refuses more than 52 participants', async () => {
    const others = await Promise.all(Array.from({ length: 51 }, () => addMember(workspace)));
    const last = others.pop() as TestMember;
    await workspace.within((tx) =>
      insertParticipants(tx, chat.chatId, new Map(others.map(({ memberId }) => [memberId, 'contributor']))),
    );

    const answer = await add(last.memberId);

    expect(answer).toMatchObject({ status: 400, body: { code: 'too_many_participants' } });
    expect(await list()).toHaveLength(52);
  });
});

describe('changing a participant', () => {
  stageEach();

  it('changes the role of a person', async () => {
    const { id, member } = await addOne();

    const answer = await change(id, { role: 'operator' });

    expect(answer).toMatchObject({ status: 200, body: { id, memberId: member.memberId, role: 'operator' } });
    expect(await rolesOf()).toContainEqual({ memberId: member.memberId, role: 'operator' });
  });

  it('puts instructions, model and configuration of the assistant in force in its next turn', async () => {
    const { id } = await assistant();
    await chat.memberWrites('Hello');
    const before = await new Turn(chat).ask();

    const settings = {
      additionalInstructions: 'Offer a morning appointment first.',
      chatModel: 'openai:chat:gpt-4.1-nano',
      chatModelConfig: { temperature: 0.2 },
    };
    const answer = await change(id, settings);

    expect(answer).toMatchObject({ status: 200, body: settings });
    const asked = await new Turn(chat).ask();
    expect(asked).toMatchObject({ modelId: settings.chatModel, modelConfig: settings.chatModelConfig });
    expect(asked.messages[0]?.content).toContain(`Be brief.\n\n${settings.additionalInstructions}`);
    expect(before.messages[0]?.content).not.toContain(settings.additionalInstructions);

    await change(id, { additionalInstructions: null, chatModel: null, chatModelConfig: null });
    const after = await new Turn(chat).ask();
    expect(after).toMatchObject({ modelId: before.modelId, modelConfig: before.modelConfig });
    expect(after.messages[0]?.content).not.toContain(settings.additionalInstructions);
  });

  it('concerns this chat only', async () => {
    const other = await stageFreeChat(workspace);
    await change((await assistant()).id, { additionalInstructions: 'Offer a morning appointment first.' });
    await other.memberWrites('Hello');

    expect((await new Turn(other).ask()).messages[0]?.content).not.toContain('morning appointment');
  });

  it('shows instructions and configurations in the chat to callers with chats:admin only', async () => {
    await change((await assistant()).id, { additionalInstructions: 'Offer a morning appointment first.' });
    const shown = async (caller: typeof asAdmin) =>
      (await caller('GET', `/chats/${chat.chatId}`)).body.participants.filter(
        (one: object) => 'additionalInstructions' in one || 'chatModelConfig' in one,
      );

    expect(await shown(asAdmin)).toHaveLength(1);
    expect(await shown(asMember)).toEqual([]);
  });

  it('stores a deprecated model as its replacement', async () => {
    const answer = await change((await assistant()).id, { chatModel: 'openai:chat:gpt-4o' });
    expect(answer).toMatchObject({ status: 200, body: { chatModel: 'openai:chat:gpt-4.1' } });
  });

  it.each([
    ['a model of another type', { chatModel: 'openai:realtime:gpt-realtime' }, '/chatModel'],
    ['an unknown setting', { chatModelConfig: { store: true } }, '/chatModelConfig/store'],
    ['an unknown voice setting', { realtimeModelConfig: { speed: 2 } }, '/realtimeModelConfig/speed'],
    ['a long silence', { realtimeModelConfig: { idle_seconds: 601 } }, '/realtimeModelConfig/idle_seconds'],
    ['empty instructions', { additionalInstructions: '' }, '/additionalInstructions'],
    [
      'instructions of 10,001 characters',
      { additionalInstructions: 'x'.repeat(10_001) },
      '/additionalInstructions',
    ],
    ['an unknown field', { memberId: 1 }, '/memberId'],
  ])('refuses %s', async (_, body, pointer) => {
    const answer = await change((await assistant()).id, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(pointersOf(answer.body)).toContain(pointer);
  });

  it('refuses the settings of an assistant for a person', async () => {
    const { id } = await addOne();
    const answer = await change(id, { additionalInstructions: 'Be kind.', chatModel: null });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(pointersOf(answer.body)).toEqual(['/additionalInstructions']);
  });

  it('keeps the roles of the member of the chat and of its assistant', async () => {
    for (const { id, role } of await list()) {
      expect(await change(id, { role: 'operator' })).toMatchObject({
        status: 409,
        body: { code: 'participant_required' },
      });
      expect((await change(id, { role })).status).toBe(200);
    }
  });
});

describe('removing a participant', () => {
  stageEach();

  it('ends its access and keeps its messages', async () => {
    const { id, member } = await addOne();
    await as(member)('POST', `/chats/${chat.chatId}/messages`, { content: 'I was here' });

    expect((await remove(id)).status).toBe(204);

    expect((await as(member)('GET', `/chats/${chat.chatId}`)).status).toBe(403);
    expect((await chat.messages()).map(({ content }) => content)).toEqual(['I was here']);
    expect((await remove(id)).status).toBe(404);
  });

  it('ends its access to the files of the chat, which began when it was added', async () => {
    const { body: uploaded } = await sendFile(api, workspace, { by: workspace.member });
    const { body: early } = await asMember('POST', `/chats/${chat.chatId}/messages`, {
      content: 'Here it is',
      files: [uploaded.id],
    });
    const member = await addMember(workspace);
    const read = () => as(member)('GET', `/files/${uploaded.id}`);
    const before = await read();
    const { id } = (await add(member.memberId)).body;
    const during = await read();

    await remove(id);

    expect(early.files).toHaveLength(1);
    expect([before.status, during.status, (await read()).status]).toEqual([404, 200, 404]);
    expect((await asMember('GET', `/files/${uploaded.id}`)).status).toBe(200);
  });

  it('is refused for the member of the chat and for its assistant', async () => {
    for (const { id } of await list()) {
      expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'participant_required' } });
    }
    expect(await list()).toHaveLength(2);
  });

  it('finds no participant of another chat', async () => {
    const { id } = await addOne();
    const other = await stageFreeChat(workspace);

    const answer = await asAdmin('DELETE', `/chats/${other.chatId}/participants/${id}`);

    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await list()).toHaveLength(3);
  });
});
