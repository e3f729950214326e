import { describe, expect, it } from 'vitest';
import { insertPhoneCall } from '../../../../db/calls/phone-calls.js';
import { insertChat, patchChat } from '../../../../db/conversations/chats.js';
import { insertMessage, patchMessage } from '../../../../db/conversations/messages.js';
import type { ChatRow } from '../../../../db/conversations/models/chat.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { statementsOf } from '../../../support/db/statements-of.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import { addMember, createWorkspace } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi();
const path = '/overview';
const later = new Date('2040-01-01');

async function addWaitingChat(values: Partial<ChatRow> = {}): Promise<number> {
  const { memberId } = workspace.member;
  return workspace.within(async (tx) => {
    const { id } = await insertChat(tx, {
      channel: 'web-chat',
      chatType: 'simple',
      memberId,
      needsResponse: true,
    });
    await patchChat(tx, id, values);
    return id;
  });
}

describeAccess({ api, workspace, otherWorkspace }, ['the overview'], () => [
  { method: 'GET', path, scope: 'workspace:read', needsPermission: false, namesItem: false },
]);

describe('GET /overview', () => {
  it('counts nothing in a new workspace', async () => {
    const { status, body } = await as(otherWorkspace.admin, otherWorkspace)('GET', path);

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        waitingChats: {
          total: 0,
          open: 0,
          mine: 0,
          claimedByOthers: 0,
          snoozed: 0,
          oldestWaitingSince: null,
        },
        ...{
          runningPhoneCalls: 0,
          failedMessages: 0,
          failingEventRules: 0,
          waitingDeliveries: 0,
          heldWorkflows: 0,
        },
        assignments: { active: 0, standing: 0 },
        creditBudget: expect.objectContaining({
          monthlyCredits: null,
          creditsUsed: 0,
          creditsRemaining: null,
        }),
        hold: { heldAt: null, until: null, reason: null, heldByMemberId: null },
      },
    });
  });

  it('tells a member without permissions only whether the workspace is held', async () => {
    const { body } = await asMember('GET', path);

    expect(Object.keys(body).filter((name) => name !== 'heldWorkflows')).toEqual(['hold']);
  });

  it.each([
    ['chats:read', ['failedMessages', 'runningPhoneCalls', 'waitingChats']],
    ['assignments:read', ['assignments']],
    ['event_rules:read', ['failingEventRules', 'waitingDeliveries']],
    ['workspace:read', ['creditBudget']],
  ])('shows with %s what its lists show', async (permission, fields) => {
    const { body } = await as(await addMember(workspace, { permissions: [permission] }))('GET', path);

    expect(Object.keys(body).sort()).toEqual([...fields, 'heldWorkflows', 'hold'].sort());
  });

  it('counts chats that wait by what colleagues do with them, calls and failed messages', async () => {
    const first = await addWaitingChat();
    const colleague = await addMember(workspace);
    await addWaitingChat({ claimedByMemberId: workspace.admin.memberId, claimedUntil: later });
    await addWaitingChat({ claimedByMemberId: colleague.memberId, claimedUntil: later });
    await addWaitingChat({ claimedByMemberId: colleague.memberId, claimedUntil: new Date('2020-01-01') });
    await addWaitingChat({ snoozedAt: new Date() });
    await addWaitingChat({ archived: true });
    const { id: phoneNumberId } = await addPhoneNumber(workspace, { voiceEnabled: true });
    const since = await workspace.within(async (tx) => {
      const now = new Date();
      const call = {
        chatId: first,
        phoneNumberId,
        inbound: false,
        begunBy: 'api' as const,
        remoteNumber: '+12025550142',
      };
      await insertPhoneCall(tx, { ...call, createdAt: now, updatedAt: now });
      for (const createdAt of [now, new Date('2020-01-01')]) {
        const message = {
          chatId: first,
          role: 'assistant',
          author: 'agent',
          content: 'hello',
          createdAt,
        } as const;
        await patchMessage(tx, (await insertMessage(tx, message)).id, { smsDeliveryStatus: 'failed' });
      }
      const [chat] = await tx('chats').where({ id: first }).select('needs_response_since');
      return chat.needs_response_since as Date;
    });

    const { body } = await asAdmin('GET', path);
    expect(body).toMatchObject({
      waitingChats: {
        ...{ total: 5, open: 2, mine: 1, claimedByOthers: 1, snoozed: 1 },
        oldestWaitingSince: since.toISOString(),
      },
      ...{ runningPhoneCalls: 1, failedMessages: 1 },
    });
  });

  it('says that the workspace is held', async () => {
    const held = await createWorkspace(workspace.database);
    const call = as(held.admin, held);
    await call('POST', '/workspace-hold', { reason: 'Maintenance' });

    const { body } = await call('GET', path);
    expect(body.hold).toMatchObject({ heldAt: expect.any(String), reason: 'Maintenance' });
  });

  it('takes one transaction of few statements', async () => {
    const asked = await statementsOf(() => asAdmin('GET', path));

    expect(
      asked.filter((text) => /\b(chats|phone_calls|webhook_deliveries|assignments)\b/.test(text)),
    ).toHaveLength(4);
  });
});
