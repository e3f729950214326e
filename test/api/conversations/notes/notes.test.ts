import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi();
let colleague: TestMember;
let chatId: number;
beforeAll(async () => {
  colleague = await addMember(workspace, { permissions: ['chats:read', 'chats:write'] });
});
beforeEach(async () => {
  chatId = (await asMember('POST', '/chats', { channel: 'web-chat' })).body.id;
});

const leave = (text: string, by = as(colleague)) => by('POST', `/chats/${chatId}/notes`, { text });
const messages = async (by = as(colleague)) => (await by('GET', `/chats/${chatId}/messages`)).body;

describe('a note in a chat', () => {
  it('is a message of its colleague that other colleagues see, and the member does not', async () => {
    const { status, body } = await leave('Her daughter calls back.');

    const note = {
      role: 'system',
      author: 'person',
      memberId: colleague.memberId,
      content: 'Her daughter calls back.',
    };
    expect([status, body]).toMatchObject([201, note]);
    expect(await messages(asAdmin)).toEqual([body]);
    expect(await messages(asMember)).toEqual([]);
  });

  it('is not seen by a participant on the side of the member', async () => {
    const relative = await addMember(workspace);
    const participant = { memberId: relative.memberId, role: 'user' };
    expect((await asAdmin('POST', `/chats/${chatId}/participants`, participant)).status).toBe(201);
    await leave('Her daughter calls back.');

    expect(await messages(as(relative))).toEqual([]);
  });

  it('leaves a chat that waits as it is', async () => {
    await asAdmin('PUT', `/chats/${chatId}`, { paused: true });
    await asMember('POST', `/chats/${chatId}/messages`, { content: 'Hello?' });
    const state = async () => {
      const { updatedAt: _, ...chat } = (await asAdmin('GET', `/chats/${chatId}`)).body;
      return chat;
    };
    const before = await state();
    expect(before).toMatchObject({ needsResponse: true, paused: true });
    await leave('I look into it.');

    expect(await state()).toEqual(before);
  });

  it('is refused to the member of the chat', async () => {
    expect((await leave('Let me in.', asMember)).status).toBe(403);
  });

  it.each(['', ' \n', 'a'.repeat(2_001)])('needs a text of up to 2,000 characters (%#)', async (text) => {
    const { status, body } = await leave(text);
    expect([status, pointersOf(body)]).toEqual([400, ['/text']]);
  });
});

describeAccess({ api, workspace, otherWorkspace }, ['a note'], () => [
  {
    method: 'POST',
    path: `/chats/${chatId}/notes`,
    scope: 'chats:write',
    needsPermission: true,
    body: { text: 'Her daughter calls back.' },
    namesItem: true,
  },
]);
