import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { findDeliveryOfMessage } from '../../../../db/channels/deliveries.js';
import { hasOptedOutOfCalls, selectOptOutProofs } from '../../../../db/channels/opt-out-proofs.js';
import { lockChat } from '../../../../db/conversations/chats.js';
import { findMember, lockMember } from '../../../../db/people/members.js';
import type { Tx } from '../../../../db/tx.js';
import { claimDelivery } from '../../../../domain/channels/deliveries/claim-delivery.js';
import { sendAssistantMessage } from '../../../../domain/conversations/chats/send-assistant-message.js';
import { updateChat } from '../../../../domain/conversations/chats/update-chat.js';
import { type FreeChat, stageFreeChat } from '../../../support/chats/free-chat.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { addMember, type TestMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { call, reply, runToolCall, Turn, toolResult } from '../take-round.js';

const { workspace } = useWorkspace();
let member: TestMember;
beforeEach(async () => {
  member = await addMember(workspace, { role: workspace.roles.member });
});

const within = <T>(work: (tx: Tx) => Promise<T>) =>
  workspace.database.inWorkspace(workspace.workspaceId, work);
const proofs = () => within((tx) => selectOptOutProofs(tx, member.memberId, 10));
const memberNow = () => within((tx) => findMember(tx, member.memberId));
const stage = (channel: 'web-chat' | 'phone-sms') => stageFreeChat(workspace, { member, channel });
const optOut = (channel: string, words = 'leave me be') => call(['opt_out', { channel, words }]);

async function callOnce(chat: FreeChat, channel: string, words?: string) {
  const { toolCallIds, endsTurn } = await new Turn(chat).run(optOut(channel, words));
  return { endsTurn, result: await toolResult(chat, toolCallIds[0] ?? '') };
}
async function sentBySystem(chat: FreeChat) {
  const confirmations = (await chat.messages()).filter(
    ({ role, author }) => role === 'assistant' && author === 'system',
  );
  return within((tx) => Promise.all(confirmations.map(async ({ id }) => findDeliveryOfMessage(tx, id))));
}

describe('opt_out', () => {
  it('is offered on every channel, in every chat, beside whatever else there is', async () => {
    for (const channel of ['web-chat', 'phone-sms'] as const) {
      const chat = await stage(channel);
      await chat.memberWrites('Hello');
      expect((await new Turn(chat).ask()).tools.map(({ name }) => name)).toContain('opt_out');
    }
  });

  it('opts out, tells a colleague, and confirms once by SMS, after which nothing goes out', async () => {
    const chat = await stage('phone-sms');
    await chat.memberWrites('I am done with all of this, leave me be');
    const { result, endsTurn } = await callOnce(chat, 'sms');

    expect(result).toMatchObject({ ok: true });
    expect(endsTurn).toBe(true);
    expect((await memberNow())?.smsOptedOutAt).not.toBeNull();
    expect(await chat.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'opted_out' });
    expect(await proofs()).toMatchObject([
      {
        channel: 'sms',
        source: 'agent',
        heardOn: 'phone-sms',
        words: 'I am done with all of this, leave me be',
        recipient: member.row.phone,
        liftedAt: null,
      },
    ]);
    const [confirmation, ...more] = await sentBySystem(chat);
    expect(more).toEqual([]);
    expect(confirmation).toMatchObject({ purpose: 'opt_out_confirmation', state: 'queued' });
    const ref = { workspaceId: workspace.workspaceId, deliveryId: confirmation?.id ?? 0 };
    expect(await claimDelivery(chat.context, ref, randomUUID())).toMatchObject({ kind: 'claimed' });
    const written = { chatId: chat.chatId, message: 'Sorry!', toolCalls: [], files: [] };
    await expect(sendAssistantMessage(chat.colleague, written)).rejects.toThrow('opted_out');
  });

  it('does nothing more when it is called again', async () => {
    const chat = await stage('phone-sms');
    await chat.memberWrites('Never again');
    await callOnce(chat, 'all');
    await chat.memberWrites('I said never again');
    const again = await new Turn(chat).prepare();
    expect(again).toMatchObject({ kind: 'ask' });
    expect(await proofs()).toHaveLength(3);
    const { toolCallIds } = await new Turn(chat).run(optOut('all'));
    expect(await toolResult(chat, toolCallIds[0] ?? '')).toMatchObject({ ok: true });
    expect(await proofs()).toHaveLength(3);
    expect(await sentBySystem(chat)).toHaveLength(1);
  });

  it('lets the agent confirm it in a web chat, and keeps the colleague alerted when it has', async () => {
    const chat = await stage('web-chat');
    await chat.memberWrites('No more phone calls');
    const turn = new Turn(chat);
    expect(await turn.run(optOut('calls'))).toMatchObject({ endsTurn: false });
    await turn.take(reply('We will not call you.'));

    expect(await chat.chat()).toMatchObject({ needsResponse: true, needsResponseReason: 'opted_out' });
    const whose = { memberId: member.memberId, recipient: null };
    expect(await within((tx) => hasOptedOutOfCalls(tx, whose))).toBe(true);
    expect((await memberNow())?.smsOptedOutAt).toBeNull();
    expect(await sentBySystem(chat)).toEqual([]);
  });

  it('holds even if a colleague takes the chat over meanwhile', async () => {
    const chat = await stage('phone-sms');
    await chat.memberWrites('No more');
    const result = await new Turn(chat).take(optOut('sms'));
    const [toolCallId = ''] = result.kind === 'tools' ? result.toolCallIds : [];
    await updateChat(chat.colleague, chat.chatId, { paused: true });

    await runToolCall(chat, toolCallId);
    await runToolCall(chat, toolCallId);
    expect((await memberNow())?.smsOptedOutAt).not.toBeNull();
    expect(await proofs()).toHaveLength(1);
  });

  it('keeps what the agent has heard where no message has the words', async () => {
    const chat = await stage('web-chat');
    await chat.memberWrites('Hello');
    await callOnce(chat, 'email', 'nothing by email');
    expect(await proofs()).toMatchObject([
      { channel: 'email', words: 'nothing by email', recipient: member.row.email },
    ]);
  });

  it('is not for colleagues, who have operations of their own', async () => {
    const chat = await stage('web-chat');
    const toolCalls = [{ name: 'opt_out', arguments: '{"channel":"all","words":"x"}' }];
    const sent = { chatId: chat.chatId, message: '', toolCalls, files: [] };
    await sendAssistantMessage(chat.colleague, sent).catch(() => undefined);
    expect(await proofs()).toEqual([]);
  });

  it('locks the member before the chat, as a STOP and a deletion do', async () => {
    const chat = await stage('phone-sms');
    await chat.memberWrites('No more');
    const result = await new Turn(chat).take(optOut('sms'));
    const [toolCallId = ''] = result.kind === 'tools' ? result.toolCallIds : [];
    let running: Promise<unknown> | undefined;
    await within(async (tx) => {
      await lockMember(tx, member.memberId);
      running = runToolCall(chat, toolCallId);
      await whenWaitedFor(tx);
      // It would be a deadlock if the tool held the chat.
      await lockChat(tx, chat.chatId);
    });
    await running;
    expect((await memberNow())?.smsOptedOutAt).not.toBeNull();
  });
});
