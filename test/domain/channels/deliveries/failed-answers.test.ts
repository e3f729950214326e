import { beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryRow } from '../../../../db/channels/deliveries.js';
import { lockChat, patchChat } from '../../../../db/conversations/chats.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import { queueDelivery } from '../../../../domain/channels/deliveries/queue-delivery.js';
import { recordStatusCallback } from '../../../../domain/channels/deliveries/record-delivery-news.js';
import { optOutOfSms } from '../../../../domain/channels/outreach/opt-outs.js';
import { alertColleague } from '../../../../domain/kernel/alert-colleague.js';
import { useDeliveries } from '../../../support/chats/use-deliveries.js';
import { hours } from '../../../support/lib/moved-clock.js';

const { workspace, clock, stage, context, claim, record } = useDeliveries();

const refuse = async (delivery: DeliveryRow, errorCode = '21614') => {
  await claim(delivery);
  await record(delivery, { state: 'failed', errorCode });
};
const agentSays = async (content: string) => {
  const uuid = await workspace.within(async (tx) => {
    const chat = await lockChat(tx, stage.chatId);
    if (chat === undefined) throw new Error('the chat is gone');
    const written = { chatId: chat.id, role: 'assistant', author: 'agent', content } as const;
    const message = await insertMessage(tx, written);
    await queueDelivery(tx, chat, message, clock.now());
    return message.uuid;
  });
  return stage.delivery(uuid);
};
const waiting = async () => {
  const { needsResponse, needsResponseReason, archived } = await stage.chat();
  return { needsResponse, needsResponseReason, archived };
};
const calledAgain = { needsResponse: true, needsResponseReason: 'delivery_failed', archived: false };
const answered = { needsResponse: false, needsResponseReason: null, archived: false };

describe("a colleague's SMS that does not arrive alerts a colleague", () => {
  it.each(['21211', '21614', '30005', '30007', '21610'])(
    'if the member had asked, and the carrier refuses it with %s',
    async (code) => {
      await stage.memberWrites('Can somebody help me?');
      const { delivery } = await stage.write('Yes, at ten');
      expect(await waiting()).toEqual(answered);
      await refuse(delivery, code);
      expect(await waiting()).toEqual(calledAgain);
    },
  );

  it('if its receipt says hours later that it was not delivered', async () => {
    await stage.memberWrites('Can somebody help me?');
    const { delivery, message } = await stage.write('Yes, at ten');
    await claim(delivery);
    const callback = { workspaceId: workspace.workspaceId, messageUuid: message.uuid, attempt: 1 };
    await recordStatusCallback(context(), { ...callback, carrierMessageId: 'SM1', carrierStatus: 'sent' });
    clock.advance(hours(2));
    expect(await waiting()).toEqual(answered);
    await recordStatusCallback(context(), {
      ...callback,
      carrierMessageId: 'SM1',
      carrierStatus: 'undelivered',
      errorCode: '30005',
    });
    expect(await waiting()).toEqual(calledAgain);
  });

  it('if the member has unsubscribed before it is sent', async () => {
    await stage.memberWrites('Can somebody help me?');
    const { delivery } = await stage.write('Yes, at ten');
    const phone = stage.member.row.phone ?? '';
    await workspace.within((tx) =>
      optOutOfSms(tx, { phone, sender: stage.number, source: 'keyword', now: clock.now() }),
    );
    await claim(delivery);
    expect(await waiting()).toEqual(calledAgain);
  });

  it('if a task had alerted a colleague, and the member has never written', async () => {
    await workspace.within((tx) => alertColleague(tx, { id: stage.chatId }, 'handoff'));
    const { delivery } = await stage.write('I look after you now');
    expect(await waiting()).toEqual(answered);
    await refuse(delivery);
    expect(await waiting()).toEqual(calledAgain);
  });

  it('also in a chat that was archived once it was answered, which is in the queue again', async () => {
    await stage.memberWrites('Can somebody help me?');
    const { delivery } = await stage.write('Yes, at ten');
    await workspace.within((tx) => patchChat(tx, stage.chatId, { archived: true }));
    await refuse(delivery);
    expect(await waiting()).toEqual(calledAgain);
  });

  it('for each of the messages that a long answer becomes', async () => {
    await stage.memberWrites('Can somebody help me?');
    await stage.write('word '.repeat(700));
    const [, second] = await workspace.within((tx) =>
      tx('deliveries').where({ chat_id: stage.chatId }).orderBy('id'),
    );
    await refuse({ id: second.id } as DeliveryRow);
    expect(await waiting()).toEqual(calledAgain);
  });

  it('but not in a chat in which nobody waited and the member has never written', async () => {
    const { delivery } = await stage.write('Good morning');
    await refuse(delivery);
    expect(await waiting()).toEqual(answered);
  });
});

describe("an agent's answer by SMS that does not arrive alerts a colleague", () => {
  beforeEach(async () => {
    await stage.memberWrites('When is my visit?');
    await workspace.within((tx) =>
      patchChat(tx, stage.chatId, { needsResponse: false, needsResponseReason: null }),
    );
  });

  it('if the member waits for it', async () => {
    await refuse(await agentSays('At ten'));
    expect(await waiting()).toEqual(calledAgain);
  });

  it('but not if the member has written since and got another', async () => {
    const answer = await agentSays('At ten');
    clock.advance(1_000);
    await stage.memberWrites('Hello?');
    await workspace.within((tx) =>
      patchChat(tx, stage.chatId, { needsResponse: false, needsResponseReason: null }),
    );
    await agentSays('At ten, I said');
    await refuse(answer);
    expect(await waiting()).toEqual(answered);
  });

  it('but not if the member has unsubscribed since', async () => {
    const answer = await agentSays('At ten');
    const phone = stage.member.row.phone ?? '';
    await workspace.within((tx) =>
      optOutOfSms(tx, { phone, sender: stage.number, source: 'keyword', now: clock.now() }),
    );
    await claim(answer);
    expect(await waiting()).toEqual(answered);
  });
});
