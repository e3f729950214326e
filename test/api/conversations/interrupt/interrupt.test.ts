import { beforeAll, expect, it } from 'vitest';
import { patchChat } from '../../../../db/conversations/chats.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import { insertApproval } from '../../../../db/conversations/tool-approvals.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { useApi } from '../../../support/api/use-api.js';
import { addMember } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, asAdmin, asMember, as } = useApi();

/** A chat of the plain member in which a tool call waits. */
async function chatThatWaits(
  { memberId } = workspace.member,
): Promise<{ chatId: number; interruptId: string }> {
  const { body } = await asAdmin('POST', '/chats', { channel: 'web-chat', memberId });
  const chatId = body.id;
  const now = new Date();
  const interruptId = await workspace.within(async (tx) => {
    const call = { name: 'send_sms', arguments: '{"text":"only for colleagues"}' };
    const message = await insertMessage(tx, {
      chatId,
      role: 'assistant',
      author: 'agent',
      content: null,
      toolCalls: [{ id: 'call_1', type: 'function', function: call }],
    });
    const approval = await insertApproval(tx, {
      chatId,
      messageId: message.id,
      toolCallId: 'call_1',
      state: 'waiting',
      requestedAt: now,
      expiresAt: new Date(now.getTime() + 60_000),
    });
    await patchChat(tx, chatId, { approvalId: approval.id });
    return approval.uuid;
  });
  return { chatId, interruptId };
}

let waiting: { chatId: number; interruptId: string };
beforeAll(async () => {
  waiting = await chatThatWaits();
});

describeAccess({ api, workspace, otherWorkspace }, ['POST an interrupt'], () => [
  {
    method: 'POST',
    path: `/chats/${waiting.chatId}/interrupt`,
    body: { interruptId: waiting.interruptId, decision: 'reject' },
    scope: 'chats:admin',
    needsPermission: true,
    namesItem: true,
  },
]);

it('shows that a call waits to all readers, and the call to those who may decide', async () => {
  const { chatId, interruptId } = await chatThatWaits();
  const reader = await addMember(workspace, { role: workspace.roles.member });
  await asAdmin('POST', `/chats/${chatId}/participants`, { memberId: reader.memberId });
  const interrupt = { kind: 'tool_call', id: interruptId, expiresAt: expect.any(String) };

  const seen = await asAdmin('GET', `/chats/${chatId}`);
  expect(seen.body.interrupt).toMatchObject({
    ...interrupt,
    toolCall: { id: 'call_1', name: 'send_sms', arguments: '{"text":"only for colleagues"}' },
  });
  for (const call of [asMember, as(reader)]) {
    const { body } = await call('GET', `/chats/${chatId}`);
    expect(body.interrupt).toMatchObject(interrupt);
    expect(body.interrupt.toolCall).toBeUndefined();
    const { body: listed } = await call('GET', '/chats');
    const found = listed.items.find(({ id }: { id: number }) => id === chatId);
    expect(found.interrupt).toEqual(body.interrupt);
  }
});

it('answers the chat without the interrupt, and 409 to another decision', async () => {
  const { chatId, interruptId } = await chatThatWaits();
  const decide = (decision: string) =>
    asAdmin('POST', `/chats/${chatId}/interrupt`, { interruptId, decision, comment: 'No.' });
  const first = await decide('reject');
  expect(first.status).toBe(200);
  expect(first.body.interrupt).toBeUndefined();
  expect((await decide('reject')).status).toBe(200);
  expect(await decide('approve')).toMatchObject({ status: 409, body: { code: 'interrupt_over' } });
});

it('answers 403 to the member of the chat, whatever it may', async () => {
  const { chatId, interruptId } = await chatThatWaits(workspace.admin);
  const decide = (call: typeof asAdmin) =>
    call('POST', `/chats/${chatId}/interrupt`, { interruptId, decision: 'approve' });
  expect(await decide(asAdmin)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect((await asAdmin('GET', `/chats/${chatId}`)).body.interrupt).toMatchObject({ id: interruptId });
  const other = await addMember(workspace, { permissions: ['chats:read', 'chats:admin'] });
  expect((await decide(as(other))).status).toBe(200);
});

it('refuses a decision that is none', async () => {
  const body = { interruptId: waiting.interruptId, decision: 'maybe' };
  expect((await asAdmin('POST', `/chats/${waiting.chatId}/interrupt`, body)).status).toBe(400);
  const empty = { interruptId: '', decision: 'reject' };
  expect((await asAdmin('POST', `/chats/${waiting.chatId}/interrupt`, empty)).status).toBe(400);
});
