import { beforeAll, describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/api/access-cases.js';
import { callAs } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addFollowUp } from '../../../support/chats/follow-ups.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as } = useApi();
let path: string;
let chatId: number;

beforeAll(async () => {
  chatId = await openChat(workspace.admin);
  path = `/chats/${chatId}/follow-ups`;
});

const openChat = async (member: TestMember, body: object = {}): Promise<number> =>
  (await as(member)('POST', '/chats', { channel: 'web-chat', ...body })).body.id;
const add = (chat = chatId) => addFollowUp(workspace, chat);

describe('the follow-ups of another member’s chat', () => {
  let followUpId: number;
  beforeAll(async () => {
    followUpId = await add();
  });

  describeAccess(
    () => ({ api, workspace, otherWorkspace }),
    ['the list', 'a cancellation'],
    () => [
      { method: 'GET', path, scope: 'chats:read', writes: true, namesItem: true },
      {
        method: 'DELETE',
        path: `${path}/${followUpId}`,
        scope: 'chats:write',
        writes: true,
        namesItem: true,
      },
    ],
  );

  it.each([
    ['chats:read', 200, 403],
    ['chats:write', 403, 204],
  ] as const)(
    'require the permission: with %s listing returns %i and cancelling returns %i',
    async (permission, listed, cancelled) => {
      const call = as(await addMember(workspace, { permissions: [permission] }));

      expect((await call('GET', path)).status).toBe(listed);
      expect((await call('DELETE', `${path}/${followUpId}`)).status).toBe(cancelled);
    },
  );
});

describe('the follow-ups of an own chat', () => {
  it('can be listed without instructions and cancelled by the member', async () => {
    const { member, admin } = workspace;
    const own = await openChat(member);
    const id = await add(own);

    const { body } = await as(member)('GET', `/chats/${own}/follow-ups`);
    expect(body.items).toMatchObject([{ id, instructions: null, status: 'pending' }]);
    const seen = await as(admin)('GET', `/chats/${own}/follow-ups`);
    expect(seen.body.items).toMatchObject([{ id, instructions: 'Ask how it went' }]);

    expect((await as(member)('DELETE', `/chats/${own}/follow-ups/${id}`)).status).toBe(204);
    const after = await as(admin)('GET', `/chats/${own}/follow-ups`, undefined, { status: 'cancelled' });
    expect(after.body.items).toMatchObject([{ id, cancelledByMemberId: member.memberId }]);
  });

  it('can be listed with instructions and cancelled by a participating colleague', async () => {
    const colleague = await addMember(workspace, { role: workspace.roles.member });
    const participants = [{ memberId: colleague.memberId, role: 'operator' }];
    const shared = await openChat(workspace.admin, { participants });
    const id = await add(shared);

    const { body } = await as(colleague)('GET', `/chats/${shared}/follow-ups`);
    expect(body.items).toMatchObject([{ id, instructions: 'Ask how it went' }]);
    expect((await as(colleague)('DELETE', `/chats/${shared}/follow-ups/${id}`)).status).toBe(204);
  });
});

describe('a follow-up request', () => {
  it.each(['999999999', '99999999999999999999'])('returns 404 for id %s', async (id) => {
    const call = as(workspace.admin);
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(404);
    expect((await call('GET', `/chats/${id}/follow-ups`)).status).toBe(404);
  });

  it('returns 404 for a follow-up of another chat or workspace', async () => {
    const call = as(workspace.admin);
    const sibling = await add(await openChat(workspace.admin));
    const foreignChat = await callAs(api, otherWorkspace, otherWorkspace.admin)('POST', '/chats', {
      channel: 'web-chat',
    });
    const foreign = await addFollowUp(otherWorkspace, foreignChat.body.id);

    for (const id of [sibling, foreign]) {
      expect(await call('DELETE', `${path}/${id}`)).toMatchObject({
        status: 404,
        body: { detail: 'Follow-up not found.' },
      });
    }
  });
});
