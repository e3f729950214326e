import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ReceiptsAskedFor } from '../../../activities/kernel/reconciler.js';
import { recordStatusCallback } from '../../../domain/channels/deliveries/record-delivery-news.js';
import { taskQueues } from '../../../workflows/contracts/runs.js';
import { days, hours, minutes } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { startSkippingSystem } from '../../support/system/skipping-system.js';
import type { SmsConversation } from '../../support/system/sms-workspace.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';

const { system, workspace } = useSmsWorkspace(startSkippingSystem);

interface Delivery {
  state: string;
  attempts: number;
  look_ups: number;
  failure_reason: string | null;
  receipt_due_at: Date | null;
}

async function deliveryOf({ chatId }: SmsConversation): Promise<Delivery> {
  const [row] = await workspace.select<Delivery>(
    'select state, attempts, look_ups, failure_reason, receipt_due_at from deliveries where chat_id = ?',
    [chatId],
  );
  if (row === undefined) throw new Error('nothing was to be delivered');
  return row;
}

const becomes = (chat: SmsConversation, state: string, attempts = 1) =>
  waitFor(`it is ${state}`, async () => {
    const delivery = await deliveryOf(chat);
    return delivery.state === state && delivery.attempts === attempts;
  });

/** Resolves once the carrier was asked for a due receipt and had none. */
async function askedFor(chat: SmsConversation): Promise<void> {
  await waitFor('the receipt was asked for', async () => {
    const { receipt_due_at } = await deliveryOf(chat);
    return receipt_due_at === null || receipt_due_at > system.clock.now();
  });
}

type Weather = Parameters<typeof system.carrier.turn>[0];

/** A colleague writes to a member, with these settings of the carrier simulator. */
async function post(weather: Weather): Promise<SmsConversation & { messageUuid: string }> {
  const chat = await workspace.openChat();
  await system.carrier.turn({ ...weather, handset: chat.texter.phone });
  const { body } = await workspace.asAdmin('POST', `/chats/${chat.chatId}/send-assistant-message`, {
    message: 'See you at nine.',
  });
  return { ...chat, messageUuid: body.message.uuid };
}

/** A chat with a sent message, whose run has ended. */
async function sent(weather: Weather) {
  const chat = await post(weather);
  await becomes(chat, 'sent');
  await system.run('deliverMessages', chat.chatUuid).result();
  return chat;
}

/** Runs what the schedule starts, because the time-skipping server has no schedules. */
function ask(): Promise<ReceiptsAskedFor> {
  return system.client.workflow.execute('askForReceipts', {
    workflowId: `receipts-${randomUUID()}`,
    taskQueue: taskQueues.runs,
  });
}

describe('a missing receipt', () => {
  it('is requested after an hour and not before', async () => {
    const chat = await sent({ lost: true });
    await waitFor('it is delivered', async () => (await statusAtCarrier(chat)) === 'delivered');

    await system.skip(minutes(58));
    expect(await ask()).toMatchObject({ woken: 0 });
    expect((await deliveryOf(chat)).state).toBe('sent');
    await system.skip(minutes(3));
    expect(await ask()).toMatchObject({ woken: 1 });

    await becomes(chat, 'delivered');
    expect((await chat.history()).at(-1)).toMatchObject({ smsDeliveryStatus: 'delivered' });
    expect(await ask()).toMatchObject({ woken: 0 });
    expect(await chat.carried()).toHaveLength(1);
  });

  it('can reveal a failure with its reason', async () => {
    const chat = await sent({ lost: true, failing: { code: 30005, rate: true } });
    await waitFor('it failed', async () => (await statusAtCarrier(chat)) === 'undelivered');

    await system.skip(hours(1) + minutes(1));
    expect(await ask()).toMatchObject({ woken: 1 });

    await becomes(chat, 'failed');
    expect((await chat.history()).at(-1)).toMatchObject({
      smsDeliveryStatus: 'failed',
      smsDeliveryErrorCode: '30005',
      smsDeliveryFailureReason: 'unknown_number',
    });
  });

  it('can reveal a temporary failure, after which the message is sent again a minute later', async () => {
    const chat = await sent({ lost: true, failing: { code: 30003, rate: 1 } });
    await waitFor('it failed', async () => (await statusAtCarrier(chat)) === 'undelivered');

    await system.skip(hours(1) + minutes(1));
    await ask();
    await becomes(chat, 'queued');
    await system.skip(minutes(1));
    await becomes(chat, 'sent', 2);
    await waitFor('it is delivered', async () => (await statusAtCarrier(chat)) === 'delivered');
    await system.skip(hours(1) + minutes(1));
    await ask();

    await becomes(chat, 'delivered', 2);
    expect(await chat.carried()).toHaveLength(2);
  });

  it('that the carrier does not have either is requested again after two days, and then never', async () => {
    const chat = await sent({ paceMs: 3_600_000 });

    await system.skip(hours(1) + minutes(1));
    expect(await ask()).toMatchObject({ woken: 1 });
    await askedFor(chat);
    expect((await deliveryOf(chat)).receipt_due_at).not.toBeNull();
    await system.skip(hours(46));
    expect(await ask()).toMatchObject({ woken: 0 });
    await system.skip(hours(1));
    expect(await ask()).toMatchObject({ woken: 1 });
    await askedFor(chat);
    expect((await deliveryOf(chat)).receipt_due_at).toBeNull();
    await system.skip(days(30));

    expect(await ask()).toMatchObject({ woken: 0 });
    expect(await deliveryOf(chat)).toMatchObject({ state: 'sent', attempts: 1 });
  });

  it('still counts when it arrives after the last request', async () => {
    const chat = await sent({ paceMs: 3_600_000 });
    for (const step of [hours(1) + minutes(1), hours(47)]) {
      await system.skip(step);
      expect(await ask()).toMatchObject({ woken: 1 });
      await askedFor(chat);
    }
    expect((await deliveryOf(chat)).receipt_due_at).toBeNull();
    const [message] = await system.carrier.sentTo(chat.texter.phone);

    await recordStatusCallback(
      { db: system.database, clock: system.clock },
      {
        workspaceId: workspace.workspaceId,
        messageUuid: chat.messageUuid,
        attempt: 1,
        carrierMessageId: message?.sid ?? '',
        carrierStatus: 'delivered',
      },
    );

    expect(await deliveryOf(chat)).toMatchObject({ state: 'delivered', attempts: 1 });
  });
});

describe('a deliverMessages run', () => {
  it('retries a minute and five minutes after temporary failures, then gives up', async () => {
    const chat = await post({ failing: { code: 30008, rate: true } });

    await becomes(chat, 'queued', 1);
    await system.skip(minutes(1));
    await becomes(chat, 'queued', 2);
    await system.skip(minutes(4));
    expect(await deliveryOf(chat)).toMatchObject({ state: 'queued', attempts: 2 });
    await system.skip(minutes(1));

    await becomes(chat, 'failed', 3);
    expect(await chat.carried()).toHaveLength(3);
  });

  it('gives up an unanswered attempt after ten minutes if the carrier does not know it', async () => {
    const chat = await post({ busy: { rate: 1, status: 502 } });
    await becomes(chat, 'claimed');

    await system.skip(minutes(1) + 1_000);
    await waitFor('the carrier was asked', async () => (await deliveryOf(chat)).look_ups === 1);
    expect((await deliveryOf(chat)).state).toBe('claimed');
    await system.skip(minutes(9));

    await becomes(chat, 'failed');
    expect(await deliveryOf(chat)).toMatchObject({ failure_reason: 'unknown_outcome' });
    expect(await chat.carried()).toEqual([]);
  });
});

async function statusAtCarrier({ texter }: SmsConversation): Promise<string | undefined> {
  return (await system.carrier.sentTo(texter.phone)).at(-1)?.status;
}
