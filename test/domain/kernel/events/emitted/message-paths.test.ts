import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockChat } from '../../../../../db/conversations/chats.js';
import { insertMessage } from '../../../../../db/conversations/messages.js';
import { releaseDelivery } from '../../../../../domain/channels/deliveries/claim-delivery.js';
import { queueDelivery } from '../../../../../domain/channels/deliveries/queue-delivery.js';
import { recordStatusCallback } from '../../../../../domain/channels/deliveries/record-delivery-news.js';
import { unknownOutcome } from '../../../../../domain/channels/deliveries/settle-delivery.js';
import { createChat } from '../../../../../domain/conversations/chats/create-chat.js';
import { receiveSms } from '../../../../../domain/conversations/chats/receive-sms.js';
import { stageDeliveries } from '../../../../support/chats/delivery-stage.js';
import { useDeliveries } from '../../../../support/chats/use-deliveries.js';
import { mailroomOf } from '../../../../support/emails/hand-in.js';
import { mimeOf, receivingServer } from '../../../../support/emails/mime.js';
import { hours } from '../../../../support/lib/moved-clock.js';
import { scratchStorage } from '../../../../support/storage/scratch-storage.js';
import { namesOf, type ToldEvent, toldDuring } from '../../../../support/webhooks/told-events.js';
import { addPhoneNumber } from '../../../../support/workspace/definitions.js';
import { addMember, uniqueEmail, uniquePhone } from '../../../../support/workspace/factories.js';
import { addInbox } from '../../../../support/workspace/inboxes.js';

const { workspace, clock, stage, context, refOf, claim, record } = useDeliveries({ storesEvents: true });

const during = (work: () => Promise<unknown>) => toldDuring(workspace, work);
const sent = { state: 'sent', carrierMessageId: 'SM1' } as const;
const callback = (messageUuid: string, carrierStatus: string, errorCode?: string, attempt = 1) =>
  recordStatusCallback(context(), {
    workspaceId: workspace.workspaceId,
    messageUuid,
    attempt,
    carrierMessageId: 'SM1',
    carrierStatus,
    ...(errorCode === undefined ? {} : { errorCode }),
  });
const outgoing = (events: readonly ToldEvent[]) =>
  events.filter(({ event }) => event === 'message:sent' || event === 'message:failed');

describe('message:sent of a message by SMS', () => {
  it('comes once when the carrier has taken it, and says nothing of what it says', async () => {
    const { delivery, message } = await stage.write('Private words');

    const queued = await during(() => claim(delivery));
    const events = await during(async () => {
      await Promise.all(Array.from({ length: 10 }, () => record(delivery, sent)));
      for (const status of ['queued', 'sent', 'sent', 'delivered', 'sent'])
        await callback(message.uuid, status);
    });

    expect(queued).toEqual([]);
    expect(events).toMatchObject([
      {
        event: 'message:sent',
        channel: 'phone-sms',
        chat: { id: stage.chatId },
        message: { id: message.id, role: 'assistant', author: 'person', memberId: workspace.admin.memberId },
      },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/private/i);
  });

  it('comes once where the receipt overtakes the answer', async () => {
    const { delivery, message } = await stage.write('Good morning');
    await claim(delivery);

    const events = await during(() =>
      Promise.all([
        callback(message.uuid, 'delivered'),
        callback(message.uuid, 'sent'),
        record(delivery, sent),
      ]),
    );

    expect(namesOf(events)).toEqual(['message:sent']);
  });

  it('comes once although the carrier refuses it later and takes it again', async () => {
    const { delivery, message } = await stage.write('Good morning');
    const events = await during(async () => {
      await claim(delivery);
      await record(delivery, sent);
      await callback(message.uuid, 'undelivered', '30003');
      expect((await stage.delivery(message.uuid)).state).toBe('queued');
      clock.advance(hours(1));
      await claim(delivery);
      await record(delivery, sent, 2);
      await callback(message.uuid, 'delivered', undefined, 2);
    });

    expect(namesOf(events)).toEqual(['message:sent']);
  });

  it('does not come for an attempt that is released', async () => {
    const { delivery } = await stage.write('Good morning');
    const token = randomUUID();

    const events = await during(async () => {
      await claim(delivery, token);
      await releaseDelivery(context(), refOf(delivery), { token, counts: true });
    });

    expect(events).toEqual([]);
  });

  it('follows message:failed where an attempt without an outcome turns out to have been sent', async () => {
    const { delivery, message } = await stage.write('Good morning');
    await claim(delivery);

    const events = await during(async () => {
      await record(delivery, { state: 'failed', failureReason: unknownOutcome });
      await callback(message.uuid, 'delivered');
    });

    expect(namesOf(events)).toEqual(['message:failed', 'message:sent']);
  });
});

describe('message:failed', () => {
  it('comes once when the carrier refuses a message, with the codes', async () => {
    const { delivery, message } = await stage.write('Private words');
    await claim(delivery);

    const events = await during(async () => {
      await record(delivery, { state: 'failed', errorCode: '21614' });
      await callback(message.uuid, 'failed', '21614');
    });

    expect(events).toMatchObject([
      {
        event: 'message:failed',
        channel: 'phone-sms',
        message: { id: message.id },
        failureReason: 'not_a_mobile_number',
        errorCode: '21614',
      },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/private/i);
  });

  it('comes once when a receipt says hours later that it was not delivered', async () => {
    const { delivery, message } = await stage.write('Good morning');
    await claim(delivery);
    await record(delivery, sent);
    clock.advance(hours(2));

    const events = await during(() =>
      Promise.all([1, 2, 3].map(() => callback(message.uuid, 'undelivered', '30005'))),
    );

    expect(events).toMatchObject([{ event: 'message:failed', failureReason: 'unknown_number' }]);
  });

  it('comes once where an attempt without an outcome turns out to have failed', async () => {
    const { delivery, message } = await stage.write('Good morning');
    await claim(delivery);

    const events = await during(async () => {
      await record(delivery, { state: 'failed', failureReason: unknownOutcome });
      await callback(message.uuid, 'undelivered', '30005');
    });

    expect(events).toMatchObject([{ event: 'message:failed', failureReason: 'unknown_outcome' }]);
  });

  it('comes when a message is too old to be sent', async () => {
    const { delivery } = await stage.write('Good morning');
    clock.advance(hours(5));

    const events = await during(() => claim(delivery));

    expect(events).toMatchObject([{ event: 'message:failed', failureReason: 'expired', errorCode: null }]);
  });

  it('comes for an initial message that the carrier refuses after the answer', async () => {
    const phoneNumberId = (await addPhoneNumber(workspace)).id;
    const { memberId } = await addMember(workspace, { role: workspace.roles.member });
    const operator = workspace.context(workspace.admin, clock);
    const chat = { channel: 'phone-sms', phoneNumberId, memberId, assistantEnabled: false } as const;
    const { id: chatId } = await createChat(operator, { ...chat, initialMessage: 'Good morning' });
    const [delivery] = await workspace.within((tx) => tx('deliveries').where({ chat_id: chatId }));
    await claim(delivery);

    const events = await during(() => record(delivery, { state: 'failed', errorCode: '21614' }));

    expect(events).toMatchObject([
      { event: 'message:failed', chat: { id: chatId }, failureReason: 'not_a_mobile_number' },
    ]);
  });

  it('comes for an answer that nobody can be sent', async () => {
    const silent = await stageDeliveries(workspace, clock, { channel: 'phone-sms' });
    const { memberId } = await silent.chat();
    const say = () =>
      workspace.within(async (tx) => {
        await tx('members').where({ id: memberId }).update({ phone: null });
        const chat = await lockChat(tx, silent.chatId);
        if (chat === undefined) throw new Error('the chat is gone');
        const written = { chatId: chat.id, role: 'assistant', author: 'agent', content: 'Hello' } as const;
        await queueDelivery(tx, chat, await insertMessage(tx, written), clock.now());
      });

    expect(outgoing(await during(say))).toMatchObject([
      { event: 'message:failed', channel: 'phone-sms', failureReason: 'missing_phone' },
    ]);
  });
});

it('message:sent comes at once for a message in a web chat', async () => {
  const web = await stageDeliveries(workspace, clock, {
    channel: 'web-chat',
    phoneNumberId: undefined as never,
  });
  const events = await during(() => web.write('Good morning').catch(() => undefined));

  expect(events).toMatchObject([{ event: 'message:sent', channel: 'web-chat', chat: { id: web.chatId } }]);
});

describe('message:received', () => {
  const textFrom = async (from: string) => {
    const { number: to } = await addPhoneNumber(workspace);
    const carrierMessageId = `SM${randomUUID().replaceAll('-', '')}`;
    return (body: string, more = {}) => receiveSms(context(), { carrierMessageId, from, to, body, ...more });
  };

  it.each([
    ['a text', 'Private words', {}, { author: 'member', smsKeyword: null, fileCount: 0 }],
    ['a keyword', 'STOP', {}, { author: 'member', smsKeyword: 'stop' }],
    ['a picture', '', { mediaCount: 2 }, { fileCount: 2 }],
    ['what the webhook missed', 'Private words', { missedAt: new Date(0) }, { author: 'member' }],
  ])('comes once for %s by SMS, also where the carrier repeats it', async (_what, body, more, message) => {
    const text = await textFrom(uniquePhone());

    const events = await during(() => Promise.all(Array.from({ length: 10 }, () => text(body, more))));

    const received = events.filter(({ event }) => event === 'message:received');
    expect(received).toMatchObject([
      { chat: { channel: 'phone-sms' }, message: { role: 'user', ...message } },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/private/i);
  });

  it('comes once for an SMS of a sender that is no number', async () => {
    const text = await textFrom('BANK');

    const events = await during(async () => [await text('Your code'), await text('Your code')]);

    expect(namesOf(events)).toEqual(['member:created', 'chat:created', 'message:received']);
  });

  it.each([
    ['a mail', 0],
    ['a mail that is read a day later', 24],
  ])('comes once for %s', async (_what, after) => {
    const inbox = await addInbox(workspace, { authservId: receivingServer });
    const { storage, remove } = scratchStorage();
    onTestFinished(remove);
    const room = mailroomOf(workspace, inbox, { clock, storage });
    const { id } = await room.accept(mimeOf({ from: uniqueEmail(), to: inbox.address }));
    clock.advance(hours(after));

    const events = await during(async () => [await room.receive(id), await room.receive(id)]);

    expect(events.filter(({ event }) => event === 'message:received')).toMatchObject([
      { chat: { channel: 'email', inboxId: inbox.id }, message: { role: 'user', author: 'member' } },
    ]);
  });
});
