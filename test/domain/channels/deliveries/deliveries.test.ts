import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type DeliveryRow,
  insertDelivery,
  lockDelivery,
  patchDelivery,
} from '../../../../db/channels/deliveries.js';
import { hasOptedOut } from '../../../../db/channels/sms-opt-outs.js';
import { selectRecentHistory } from '../../../../db/conversations/messages.js';
import { claimNext, releaseDelivery } from '../../../../domain/channels/deliveries/claim-delivery.js';
import {
  lookUpDelaysMs,
  prepareDeliveryLookup,
  recordLookupMiss,
} from '../../../../domain/channels/deliveries/delivery-lookup.js';
import { recordAndGoOn } from '../../../../domain/channels/deliveries/record-and-go-on.js';
import {
  findLateReceipt,
  receiptPatienceMs,
  recordFoundMessage,
  recordLateReceipt,
  recordStatusCallback,
} from '../../../../domain/channels/deliveries/record-delivery-news.js';
import { type DeliveryNews, receiptGraceMs } from '../../../../domain/channels/deliveries/settle-delivery.js';
import { showDelivery } from '../../../../domain/channels/deliveries/show-delivery.js';
import { optInToSms, optOutOfSms } from '../../../../domain/channels/outreach/opt-outs.js';
import { smsLifeSpanMs } from '../../../../domain/channels/sms/sms-channel.js';
import { stageDeliveries } from '../../../support/chats/delivery-stage.js';
import { useDeliveries } from '../../../support/chats/use-deliveries.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { minutes } from '../../../support/lib/moved-clock.js';

const { workspace, clock, stage, goOnWith, context, refOf, next, claim, record } = useDeliveries();
const [firstLookUpMs = 0, secondLookUpMs = 0] = lookUpDelaysMs;

type News = Omit<DeliveryNews, 'learntBy'>;
const sent: News = { state: 'sent', carrierMessageId: 'SM1' };
const failed = (errorCode: string): News => ({ state: 'failed', errorCode });
const unknown: News = { state: 'failed', failureReason: 'unknown_outcome' };

const waiting = (forMs: number) => ({ kind: 'wait', until: clock.now().getTime() + forMs });
const release = (delivery: DeliveryRow, token: string, counts = true) =>
  releaseDelivery(context(), refOf(delivery), { token, counts });
/** Writes a message, claims its first attempt and, with `news`, records its result. */
const attempt = async (text: string, news?: News) => {
  const { delivery, message } = await stage.write(text);
  await claim(delivery);
  if (news !== undefined) await record(delivery, news);
  return { delivery, uuid: message.uuid, send: { kind: 'send', deliveryId: delivery.id } };
};
/** Records what the carrier reported by a callback. */
const callBack = (messageUuid: string, carrierStatus: string, errorCode?: string) =>
  recordStatusCallback(context(), {
    workspaceId: workspace.workspaceId,
    messageUuid,
    attempt: 1,
    carrierMessageId: 'SM1',
    carrierStatus,
    ...(errorCode === undefined ? {} : { errorCode }),
  });
const phone = () => stage.member.row.phone ?? '';
const optOut = () =>
  workspace.within((tx) =>
    optOutOfSms(tx, { phone: phone(), sender: stage.number, source: 'keyword', now: clock.now() }),
  );
const isOptedOut = () => workspace.within((tx) => hasOptedOut(tx, phone()));
const stateOf = async (uuid: string) => (await stage.delivery(uuid)).state;
/** What the message shows: status, error code and reason. */
const shown = async (uuid: string) => {
  const row = await stage.message(uuid);
  return [row.smsDeliveryStatus, row.smsDeliveryErrorCode, row.smsDeliveryFailureReason];
};

describe('claimDelivery', () => {
  let delivery: DeliveryRow;
  let uuid: string;
  beforeEach(async () => {
    const written = await stage.write('Hello');
    [delivery, uuid] = [written.delivery, written.message.uuid];
  });

  it('returns the message to send and the number of the attempt', async () => {
    expect(await claim(delivery)).toEqual({
      kind: 'claimed',
      channel: 'phone-sms',
      workspaceUuid: workspace.workspaceUuid,
      messageUuid: uuid,
      attempt: 1,
      from: stage.number,
      to: phone(),
      body: 'Hello',
      media: [],
      validitySeconds: smsLifeSpanMs / 1_000,
    });
  });

  it('claims a delivery once, because a claimed message may have been sent', async () => {
    const claims = await Promise.all(Array.from({ length: 5 }, () => claim(delivery)));
    expect(claims.map(({ kind }) => kind).sort()).toEqual(['claimed', ...Array(4).fill('claimed_before')]);
  });

  it('fails the delivery when the member opted out after it was queued', async () => {
    await optOut();

    expect(await claim(delivery)).toEqual({ kind: 'settled' });

    expect(await stage.delivery(uuid)).toMatchObject({ state: 'failed', attempts: 0 });
    expect(await shown(uuid)).toEqual(['failed', null, 'opted_out']);
    expect((await stage.message(uuid)).smsDeliveryUpdatedAt).toEqual(clock.now());
  });

  it('claims a delivery after a new opt-in', async () => {
    await optOut();
    await workspace.within((tx) => optInToSms(tx, phone(), new Date()));
    const later = await stage.write('Hello again');
    expect(await claim(later.delivery)).toMatchObject({ kind: 'claimed' });
  });

  it('returns settled for a settled and for an unknown delivery', async () => {
    await claim(delivery);
    await record(delivery, sent);
    expect(await claim(delivery)).toEqual({ kind: 'settled' });
    expect(await claim({ id: 987_654_321 })).toEqual({ kind: 'settled' });
  });

  it('is found and claimed at once, again for the same token, and never for another one', async () => {
    const place = { workspaceId: workspace.workspaceId, chatId: stage.chatId };
    const token = randomUUID();
    const claimed = { kind: 'send', deliveryId: delivery.id, claim: { kind: 'claimed', attempt: 1 } };

    expect(await claimNext(context(), place, token)).toMatchObject(claimed);
    expect(await claimNext(context(), place, token)).toMatchObject(claimed);

    expect(await claimNext(context(), place, randomUUID())).toEqual(waiting(firstLookUpMs));
  });

  it('is followed by the next message of the chat when its result is recorded', async () => {
    const { delivery: second } = await stage.write('And this');
    await claim(delivery);

    expect(
      await recordAndGoOn(context(), { ...refOf(delivery), chatId: stage.chatId }, 1, sent),
    ).toMatchObject({
      kind: 'send',
      deliveryId: second.id,
      last: { messageId: delivery.messageId, state: 'sent' },
    });
  });

  it('waits for news of another recipient before it locks what both write', async () => {
    await claim(delivery);
    const { chatId, messageId, channel, purpose, sender, expiresAt, orderGroup } = delivery;
    const beside = await workspace.within(async (tx) => {
      const recipient = '+12025550199';
      const row = { chatId, messageId, channel, purpose, sender, recipient, expiresAt, orderGroup };
      const { id } = await insertDelivery(tx, row);
      return patchDelivery(tx, id, { state: 'claimed', attempts: 1, claimedAt: clock.now() });
    });

    const { recording } = await workspace.within(async (tx) => {
      await lockDelivery(tx, beside.id);
      const recording = recordAndGoOn(context(), { ...refOf(delivery), chatId }, 1, sent);
      await whenWaitedFor(tx);
      await showDelivery(tx, beside, clock.now());
      return { recording };
    });

    expect(await recording).toMatchObject({ kind: 'wait', last: { state: 'sent' } });
  });

  it('claims the next attempt after a release, which needs the token of the current claim', async () => {
    const token = randomUUID();
    await claim(delivery, token);
    await release(delivery, token);

    expect(await stage.delivery(uuid)).toMatchObject({ state: 'queued', claimedAt: null });
    expect(await claim(delivery)).toMatchObject({ kind: 'claimed', attempt: 2 });
    await release(delivery, token);
    expect(await stateOf(uuid)).toBe('claimed');
  });

  it('repeats the number of an attempt that was released without counting', async () => {
    const token = randomUUID();
    await claim(delivery, token);
    await release(delivery, token, false);
    expect(await claim(delivery)).toMatchObject({ kind: 'claimed', attempt: 1 });
  });

  it('returns the same claim for the same token only', async () => {
    const token = randomUUID();
    const first = await claim(delivery, token);
    expect(await claim(delivery, token)).toEqual(first);
    expect(await claim(delivery)).toEqual({ kind: 'claimed_before' });
  });
});

describe('the state of a delivery', () => {
  let delivery: DeliveryRow;
  let uuid: string;
  beforeEach(async () => {
    ({ delivery, uuid } = await attempt('Hello'));
  });

  it.each([
    [['sent', 'delivered', 'queued', 'sent'], 'delivered', null],
    [['delivered', 'delivered'], 'delivered', null],
    [['delivered', 'sent', 'failed'], 'delivered', null],
    [['delivered', 'failed'], 'delivered', null],
    [['failed', 'delivered'], 'failed', 'failed'],
    [['sent', 'failed', 'sent'], 'failed', 'failed'],
  ] as const)('becomes, after the callbacks %s, %s: a terminal state stays', async (states, last, reason) => {
    for (const told of states) await callBack(uuid, told);

    expect(await stateOf(uuid)).toBe(last);
    expect(await shown(uuid)).toEqual([last, null, reason]);
  });

  it('follows a callback rather than what the run learns of the same attempt', async () => {
    await callBack(uuid, 'undelivered', '30005');
    await record(delivery, sent);
    expect(await shown(uuid)).toEqual(['failed', '30005', 'unknown_number']);
  });

  it('ignores what the run reports on an attempt that another one has followed', async () => {
    await callBack(uuid, 'undelivered', '30003');
    await claim(delivery);

    await record(delivery, { state: 'sent' }, 1);

    expect(await stateOf(uuid)).toBe('claimed');
  });

  it('keeps the time at which the message was first sent', async () => {
    await record(delivery, sent);
    const sentAt = clock.now();
    clock.advance(minutes(1));
    await callBack(uuid, 'delivered');
    expect(await stage.delivery(uuid)).toMatchObject({ sentAt, carrierMessageId: 'SM1' });
  });

  it('changes from unknown_outcome to what a callback reports, also on the message', async () => {
    await record(delivery, unknown);
    expect(await shown(uuid)).toEqual(['failed', null, 'unknown_outcome']);

    await callBack(uuid, 'sent');
    expect(await shown(uuid)).toEqual(['sent', null, null]);
    expect(await stage.delivery(uuid)).toMatchObject({ receiptDueAt: expect.any(Date) });
    await callBack(uuid, 'delivered');

    expect(await stateOf(uuid)).toBe('delivered');
    expect(await shown(uuid)).toEqual(['delivered', null, null]);
  });

  it('gets its error code from a callback that comes after unknown_outcome', async () => {
    await record(delivery, unknown);

    await callBack(uuid, 'undelivered', '30005');

    expect(await shown(uuid)).toEqual(['failed', '30005', 'unknown_number']);
  });

  it.each(['21611', '30001', '30002', '30022'])(
    'is queued again until it expires after error %s, which says nothing about the message',
    async (errorCode) => {
      await record(delivery, failed(errorCode));
      let attempts = 1;
      while ((await stateOf(uuid)) === 'queued') {
        const step = await next();
        clock.advance((step as { until: number }).until - clock.now().getTime());
        await claim(delivery);
        attempts += 1;
        await record(delivery, failed(errorCode), attempts);
      }

      expect(attempts).toBeGreaterThan(10);
      expect(clock.now().getTime() - delivery.createdAt.getTime()).toBeGreaterThan(smsLifeSpanMs * 0.8);
      expect((await shown(uuid)).slice(0, 2)).toEqual(['failed', errorCode]);
    },
  );

  it.each(['30003', '30008'])('is queued twice more, later each time, after error %s', async (errorCode) => {
    await record(delivery, failed(errorCode));
    const notBefore = new Date(clock.now().getTime() + minutes(1));
    expect(await stage.delivery(uuid)).toMatchObject({ state: 'queued', notBefore });
    expect(await next()).toMatchObject(waiting(minutes(1)));
    clock.advance(minutes(1));
    expect(await next()).toEqual({ kind: 'send', deliveryId: delivery.id });

    await claim(delivery);
    await record(delivery, failed(errorCode), 2);
    expect(await next()).toMatchObject(waiting(minutes(5)));
    clock.advance(minutes(5));

    await claim(delivery);
    await record(delivery, failed(errorCode), 3);
    expect(await stateOf(uuid)).toBe('failed');
    expect((await shown(uuid)).slice(0, 2)).toEqual(['failed', errorCode]);
  });

  it.each(['21211', '21614', '30004', '30005', '30006', '30007'])(
    'is failed at once after error %s',
    async (errorCode) => {
      await record(delivery, failed(errorCode));

      expect(await stateOf(uuid)).toBe('failed');
      expect(await isOptedOut()).toBe(false);
    },
  );

  it('is failed after error 21610, which opts the member out so that nothing more is sent', async () => {
    const later = await stage.write('One more');

    await record(delivery, failed('21610'));

    expect(await shown(uuid)).toEqual(['failed', '21610', 'opted_out']);
    expect(await isOptedOut()).toBe(true);
    expect(await claim(later.delivery)).toEqual({ kind: 'settled' });
  });
});

describe('initialMessageError of a chat', () => {
  /** A chat that a colleague begins with a message; `error` reads its initialMessageError. */
  const begun = async () => {
    goOnWith({ stage: await stageDeliveries(workspace, clock, { initialMessage: 'Good morning' }) });
    const [message] = await workspace.within((tx) => selectRecentHistory(tx, stage.chatId, 1));
    if (message === undefined) throw new Error('there is no message');
    const error = async () => (await stage.chat()).initialMessageError;
    return { delivery: await stage.delivery(message.uuid), uuid: message.uuid, error };
  };

  it('is the reason why the carrier refuses the message', async () => {
    const { delivery, error } = await begun();
    expect(await error()).toBeNull();
    await claim(delivery);

    await record(delivery, failed('30005'));

    expect(await error()).toBe('unknown_number');
  });

  it('is set when the message expires', async () => {
    const { delivery, error } = await begun();
    clock.advance(smsLifeSpanMs);
    await claim(delivery);
    expect(await error()).toBe('expired');
  });

  it('is cleared when a callback reports that the message arrived', async () => {
    const { delivery, uuid, error } = await begun();
    await claim(delivery);
    await record(delivery, unknown);
    expect(await error()).toBe('unknown_outcome');

    await callBack(uuid, 'delivered');

    expect(await error()).toBeNull();
  });

  it('is the reason of the one part that failed, until that part arrives, if the message was long', async () => {
    goOnWith({ stage: await stageDeliveries(workspace, clock, { initialMessage: 'word '.repeat(700) }) });
    const parts = (await workspace.within((tx) => selectRecentHistory(tx, stage.chatId, 9))).map(
      ({ uuid }) => uuid,
    );
    const error = async () => (await stage.chat()).initialMessageError;
    expect(parts).toHaveLength(3);
    for (const uuid of parts) await claim(await stage.delivery(uuid));

    await callBack(parts[0] ?? '', 'delivered');
    await record(await stage.delivery(parts[1] ?? ''), unknown);
    await callBack(parts[2] ?? '', 'delivered');

    expect(await error()).toBe('unknown_outcome');
    expect(await Promise.all(parts.map(stateOf))).toEqual(['delivered', 'failed', 'delivered']);
    await callBack(parts[1] ?? '', 'delivered');
    expect(await error()).toBeNull();
  });

  it('stays null when a later message fails', async () => {
    await attempt('One', sent);
    await attempt('Two', failed('30005'));
    expect((await stage.chat()).initialMessageError).toBeNull();
  });
});

describe('nextDelivery', () => {
  it('returns the oldest delivery, and the next one only once the carrier has accepted it', async () => {
    const first = await stage.write('One');
    const second = await stage.write('Two');

    expect(await next()).toEqual({ kind: 'send', deliveryId: first.delivery.id });
    await claim(first.delivery);
    expect(await next()).toEqual(waiting(firstLookUpMs));
    await record(first.delivery, { state: 'sent' });
    expect(await next()).toEqual({ kind: 'send', deliveryId: second.delivery.id });
  });

  it('returns the second delivery when the first has failed', async () => {
    const first = await attempt('One');
    const second = await stage.write('Two');
    await record(first.delivery, failed('30005'));
    expect(await next()).toEqual({ kind: 'send', deliveryId: second.delivery.id });
  });

  it('waits for the retry of the first delivery, to keep the order', async () => {
    const first = await attempt('One');
    await stage.write('Two');
    await record(first.delivery, failed('30003'));
    expect(await next()).toMatchObject({ kind: 'wait' });
  });

  it('returns a reply before an older message that waits for a retry, and gives the older one up', async () => {
    const old = await attempt('One, an hour old', sent);
    clock.advance(minutes(60));
    await callBack(old.uuid, 'undelivered', '30003');
    await stage.memberWrites('a question');
    const reply = await stage.write('The answer');

    expect(await next()).toEqual({ kind: 'send', deliveryId: reply.delivery.id });
    await claim(reply.delivery);
    await record(reply.delivery, { state: 'sent' });
    clock.advance(minutes(1));
    expect(await next()).toEqual(old.send);
    expect(await claim(old.delivery)).toEqual({ kind: 'settled' });

    expect(await shown(old.uuid)).toEqual(['failed', null, 'expired']);
  });

  it('returns the older message first when the member has written since but nothing has failed', async () => {
    const old = await stage.write('One');
    await stage.memberWrites('a question');
    const reply = await stage.write('The answer');

    expect(await next()).toEqual({ kind: 'send', deliveryId: old.delivery.id });
    expect(await claim(old.delivery)).toMatchObject({ kind: 'claimed' });
    await record(old.delivery, { state: 'sent' });
    expect(await next()).toEqual({ kind: 'send', deliveryId: reply.delivery.id });
  });

  it('returns idle once a delivery has expired, whose claim fails it', async () => {
    const { delivery, message } = await stage.write('Good night');
    clock.advance(smsLifeSpanMs);

    expect(await claim(delivery)).toEqual({ kind: 'settled' });
    const expired = { state: 'failed', failureReason: 'expired', attempts: 0 };
    expect(await stage.delivery(message.uuid)).toMatchObject(expired);
    expect(await next()).toEqual({ kind: 'idle' });
  });

  it('leads to a claim with the remaining life span as validity', async () => {
    const { delivery } = await stage.write('Good night');
    clock.advance(smsLifeSpanMs - minutes(30));
    expect(await claim(delivery)).toMatchObject({ kind: 'claimed', validitySeconds: 1_800 });
  });

  it('returns a second look-up for an attempt that the carrier did not know, and other deliveries meanwhile', async () => {
    const { delivery } = await attempt('One');
    const later = await stage.write('Two');
    clock.advance(firstLookUpMs);
    expect(await next()).toEqual({ kind: 'resolve', deliveryId: delivery.id });
    expect(await recordLookupMiss(context(), refOf(delivery), 1)).toBe(false);

    expect(await next()).toEqual({ kind: 'send', deliveryId: later.delivery.id });
    await claim(later.delivery);
    await record(later.delivery, { state: 'sent' });
    expect(await next()).toEqual(waiting(secondLookUpMs - firstLookUpMs));
    clock.advance(secondLookUpMs - firstLookUpMs);
    expect(await next()).toEqual({ kind: 'resolve', deliveryId: delivery.id });
    expect(await recordLookupMiss(context(), refOf(delivery), 1)).toBe(true);
  });

  it('returns a look-up for an attempt whose outcome is unknown for a minute', async () => {
    await attempt('Before', { state: 'sent', carrierMessageId: 'SM0' });
    const { delivery } = await attempt('One');
    const claimedAt = clock.now();
    clock.advance(firstLookUpMs);

    expect(await next()).toEqual({ kind: 'resolve', deliveryId: delivery.id });
    const ofMessage = { from: stage.number, to: phone(), body: 'One' };
    const found = await prepareDeliveryLookup(context(), refOf(delivery));
    expect(found).toMatchObject({ ...ofMessage, attempt: 1, knownIds: ['SM0'], claimedAt });
  });

  it('leads to a look-up that considers open attempts of the same text, and takes no message of another delivery', async () => {
    const twin = await attempt('One');
    const claimsBefore = [clock.now()];
    clock.advance(1_000);
    const { delivery } = await attempt('One');
    const found = () => prepareDeliveryLookup(context(), refOf(delivery));
    expect(await found()).toMatchObject({ soleAttempt: false, claimsBefore, claimsAfter: [] });

    await record(twin.delivery, { state: 'sent', carrierMessageId: 'SM-twin' });
    expect(await found()).toMatchObject({ soleAttempt: true, claimsBefore: [], knownIds: ['SM-twin'] });
    const recordFound = (carrierMessageId: string) =>
      recordFoundMessage(context(), refOf(delivery), 1, { state: 'sent', carrierMessageId });
    expect(await recordFound('SM-twin')).toBe(false);
    expect(await found()).toBeDefined();
    expect(await recordFound('SM-own')).toBe(true);
    expect(await found()).toBeUndefined();
  });

  it('returns a look-up of a late receipt after everything that is to be sent, and at most twice', async () => {
    const { delivery, uuid } = await attempt('One', sent);
    const ask = { kind: 'ask_for_receipt', deliveryId: delivery.id };
    const told = () => recordLateReceipt(context(), refOf(delivery), 1, { state: 'sent' });

    expect(await next()).toEqual({ kind: 'idle' });
    clock.advance(receiptGraceMs);
    expect(await next()).toEqual(ask);
    const second = await stage.write('Two');
    expect(await next()).toEqual({ kind: 'send', deliveryId: second.delivery.id });
    await claim(second.delivery);
    await record(second.delivery, failed('30005'));

    const late = await findLateReceipt(context(), refOf(delivery));
    expect(late).toEqual({ channel: 'phone-sms', attempt: 1, carrierMessageId: 'SM1' });
    await told();
    expect(await next()).toEqual({ kind: 'idle' });
    clock.advance(receiptPatienceMs - receiptGraceMs);
    expect(await next()).toEqual(ask);
    await told();
    expect(await next()).toEqual({ kind: 'idle' });
    expect(await stage.delivery(uuid)).toMatchObject({ state: 'sent', receiptDueAt: null });
  });

  it('returns no look-up for a receipt that has arrived', async () => {
    const { delivery, uuid } = await attempt('One', sent);
    await callBack(uuid, 'delivered');
    clock.advance(receiptGraceMs);

    expect(await next()).toEqual({ kind: 'idle' });
    expect(await findLateReceipt(context(), refOf(delivery))).toBeUndefined();
    await recordLateReceipt(context(), refOf(delivery), 1, failed('30005'));
    expect(await stateOf(uuid)).toBe('delivered');
  });

  it('returns idle when there is no delivery', async () => {
    expect(await next()).toEqual({ kind: 'idle' });
  });
});

describe('the poke of a run by a status callback', () => {
  const pokes = () =>
    workspace.within(async (tx) => {
      const { rows } = await tx.raw(
        `select o.id from outbox o join chats c on c.uuid = o.subject
         where o.run_type = 'deliverMessages' and c.id = ?`,
        [stage.chatId],
      );
      return rows.length as number;
    });

  it.each([
    ...['sent', 'delivered', 'failed'].flatMap((status) => [
      ['not written', status, 'an attempt under way'],
      ['written', status, 'an attempt that the run waits for'],
    ]),
    ['not written', 'delivered', 'a sent message'],
    ['not written', 'failed', 'a sent message'],
  ])('is %s for %s of %s', async (is, status, of) => {
    const { delivery, uuid } = await attempt('Hello');
    const before = await pokes();
    if (of === 'a sent message') await record(delivery, sent);
    if (is === 'written') expect(await next()).toMatchObject({ kind: 'wait' });

    await callBack(uuid, status ?? '');

    expect(await pokes()).toBe(is === 'written' ? before + 1 : before);
  });

  it('is written for a transient failure, because the message has to be sent again', async () => {
    const { uuid } = await attempt('Hello', sent);
    const before = await pokes();

    await callBack(uuid, 'undelivered', '30003');

    expect(await pokes()).toBe(before + 1);
    expect(await next()).toMatchObject({ kind: 'wait' });
  });

  it('is written unless nextDelivery sees the callback, also when both happen at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { uuid } = await attempt('Hello');
      const before = await pokes();

      const [found] = await Promise.all([next(), callBack(uuid, 'delivered')]);

      expect(found.kind === 'wait' ? await pokes() : before + 1).toBe(before + 1);
      expect(await next()).toEqual({ kind: 'idle' });
    }
  });

  it('is decided anew for each attempt', async () => {
    const { delivery, uuid } = await attempt('Hello');
    await next();
    await callBack(uuid, 'undelivered', '30003');
    clock.advance(minutes(1));
    await claim(delivery);

    expect((await stage.delivery(uuid)).outcomeUnknown).toBe(false);
  });
});
