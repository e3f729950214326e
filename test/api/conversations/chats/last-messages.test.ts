import { expect, it } from 'vitest';
import { insertChat, patchChat } from '../../../../db/conversations/chats.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMemberRow, type TestWorkspace } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, asAdmin } = useApi();

describeAccess({ api, workspace, otherWorkspace }, ['last messages'], () => [
  {
    method: 'GET',
    path: `/chats/last-messages?memberId=${workspace.admin.memberId}`,
    scope: 'chats:read',
    needsPermission: true,
    namesItem: false,
  },
]);

async function writer(times: readonly (Date | null)[], place: TestWorkspace = workspace): Promise<number> {
  const { id: memberId } = await addMemberRow(place, { memberRoleId: place.roles.member.id });
  for (const lastMessageReceivedAt of times) {
    await place.within(async (tx) => {
      const { id } = await insertChat(tx, { channel: 'web-chat', chatType: 'simple', memberId });
      return patchChat(tx, id, { lastMessageReceivedAt });
    });
  }
  return memberId;
}

it('lists when members last wrote in any of their chats', async () => {
  const [first, last] = [new Date('2026-10-01T10:00:00Z'), new Date('2026-10-02T10:00:00Z')];
  const frequent = await writer([first, last, null]);
  const silent = await writer([null]);
  const foreign = await writer([last], otherWorkspace);
  const ids = [frequent, silent, foreign].map((id) => `memberId=${id}`).join('&');
  const { status, body } = await asAdmin('GET', `/chats/last-messages?${ids}`);
  expect([status, body]).toEqual([200, { items: [{ memberId: frequent, at: last.toISOString() }] }]);
});
