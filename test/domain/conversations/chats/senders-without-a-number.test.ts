import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { hasOptedOut } from '../../../../db/channels/sms-opt-outs.js';
import { findChat, lockChat } from '../../../../db/conversations/chats.js';
import { findMember } from '../../../../db/people/members.js';
import { receiveSms } from '../../../../domain/conversations/chats/receive-sms.js';
import { sendAssistantMessage } from '../../../../domain/conversations/chats/send-assistant-message.js';
import { updateChat } from '../../../../domain/conversations/chats/update-chat.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
let number: { id: number; number: string };
beforeEach(async () => {
  number = await addPhoneNumber(workspace);
});

/** Returns the chat and the member that an SMS came to. */
async function receive(from: string, body = 'Hello', to = number.number) {
  const carrierMessageId = `SM${randomUUID().replaceAll('-', '')}`;
  const answer = await receiveSms(workspace.context(), { carrierMessageId, from, to, body });
  return workspace.within(async (tx) => {
    const received = await tx('messages').where({ carrier_message_id: carrierMessageId }).first();
    const chat = received && (await findChat(tx, Number(received.chat_id)));
    const member = chat && (await findMember(tx, chat.memberId));
    if (chat === undefined || member === undefined) throw new Error(`the SMS of ${from} is lost`);
    return { answer, chat, member, content: received.content as unknown };
  });
}
const optedOut = (recipient: string) => workspace.within((tx) => hasOptedOut(tx, recipient));

describe('an SMS of a number that no table knows', () => {
  it.each([
    ['+5215557836394', 'without its old 1', '+525557836394'],
    ['+22507005562', 'as it came', '+22507005562'],
    ['+999123456789', 'as it came', '+999123456789'],
  ])('is kept, from %s %s, and its STOP is obeyed', async (from, _how, kept) => {
    const { chat, member } = await receive(from);
    expect(member.phone).toBe(kept);
    const stopped = await receive(from, 'STOP');
    expect(stopped.chat.id).toBe(chat.id);
    expect(stopped.answer.reply).toMatch(/unsubscribed/);
    expect(await optedOut(kept)).toBe(true);
    expect(stopped.member.smsOptedOutAt).not.toBeNull();
  });
});

describe('an SMS of a short code or a name', () => {
  it.each(['72975', 'CLINIC', 'Clinic 24', '+72975', '12', 'whatsapp:+15555550123'])(
    'is kept and alerts a colleague: %s',
    async (from) => {
      const { chat, member, answer, content } = await receive(from, 'Your parcel is here');
      expect(answer).toEqual({});
      expect(JSON.stringify(content)).toContain('Your parcel is here');
      expect(member).toMatchObject({ name: from, phone: null, email: null });
      expect(chat).toMatchObject({
        channel: 'phone-sms',
        phoneNumberId: number.id,
        assistantEnabled: false,
        needsResponse: true,
        needsResponseReason: 'sender_without_number',
      });
    },
  );

  it('comes into one chat for each sender and number, which is in the queue again', async () => {
    const { chat } = await receive('CLINIC');
    await updateChat(workspace.context(), chat.id, { archived: true });
    const again = await receive('Clinic', 'More');
    expect(again.chat).toMatchObject({ id: chat.id, archived: false, needsResponse: true });
    expect((await receive('OTHER')).chat.id).not.toBe(chat.id);
    const other = await addPhoneNumber(workspace);
    expect((await receive('CLINIC', 'Hello', other.number)).chat.id).not.toBe(chat.id);
  });

  it('comes into one chat, also if many come at once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => receive('CLINIC')));
    expect(new Set(all.map(({ chat }) => chat.id)).size).toBe(1);
  });

  it('is stored once, however often the carrier repeats it', async () => {
    const sms = { carrierMessageId: `SM${randomUUID()}`, from: 'CLINIC', to: number.number, body: 'Hello' };
    await receiveSms(workspace.context(), sms);
    await receiveSms(workspace.context(), sms);
    const stored = await workspace.within((tx) =>
      tx('messages').where({ carrier_message_id: sms.carrierMessageId }).select('id'),
    );
    expect(stored).toHaveLength(1);
  });

  it('opts out by STOP and in by START, without an answer', async () => {
    const stopped = await receive('72975', 'STOP');
    expect(stopped.answer).toEqual({});
    expect(stopped.member.smsOptedOutAt).not.toBeNull();
    expect(await optedOut('72975')).toBe(true);
    expect((await receive('72975', 'START')).member.smsOptedOutAt).toBeNull();
    expect(await optedOut('72975')).toBe(false);
  });

  it('cannot be answered', async () => {
    const { chat } = await receive('CLINIC');
    const answer = { chatId: chat.id, message: 'Who are you?', toolCalls: [] };
    await expect(sendAssistantMessage(workspace.context(), answer)).rejects.toMatchObject({
      code: 'missing_phone',
    });
    expect(await workspace.within((tx) => lockChat(tx, chat.id))).toMatchObject({ needsResponse: true });
  });
});
