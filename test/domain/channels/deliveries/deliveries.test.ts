import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type DeliveryRow, findDeliveryOfMessage } from '../../../../db/channels/deliveries.js';
import { hasOptedOut } from '../../../../db/channels/sms-opt-outs.js';
import { findChat } from '../../../../db/conversations/chats.js';
import { listRecentHistory } from '../../../../db/conversations/messages.js';
import { claimDelivery, releaseDelivery } from '../../../../domain/channels/deliveries/claim-delivery.js';
import {
  findUnknownDelivery,
  lookUpDelaysMs,
  noteFoundNothing,
} from '../../../../domain/channels/deliveries/find-unknown-delivery.js';
import {
  findLateReceipt,
  receiptPatienceMs,
  recordLateReceipt,
} from '../../../../domain/channels/deliveries/late-receipt.js';
import { lifeSpanMs } from '../../../../domain/channels/deliveries/life-span.js';
import { nextDelivery } from '../../../../domain/channels/deliveries/next-delivery.js';
import {
  recordDeliveryNews,
  recordFoundMessage,
  recordStatusCallback,
} from '../../../../domain/channels/deliveries/record-delivery-news.js';
import { type DeliveryNews, receiptGraceMs } from '../../../../domain/channels/deliveries/settle-delivery.js';
import { optInToSms, optOutOfSms } from '../../../../domain/channels/outreach/opt-outs.js';
import { createChat } from '../../../../domain/conversations/chats/create-chat.js';
import { type DeliveryStage, stageDeliveries } from '../../../support/chats/delivery-stage.js';
import { MovedClock, minutes } from '../../../support/lib/moved-clock.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import { addMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const suite = useWorkspace();
const [firstLookUpMs = 0, secondLookUpMs = 0] = lookUpDelaysMs;
let clock: MovedClock;
let stage: DeliveryStage;
beforeEach(async () => {
  clock = new MovedClock();
  stage = await stageDeliveries(suite.workspace, clock);
});

const context = () => ({ db: suite.workspace.database, clock });
const refOf = (deliveryId: number) => ({ workspaceId: suite.workspace.workspaceId, deliveryId });
const next = () =>
  nextDelivery(context(), { workspaceId: suite.workspace.workspaceId, chatId: stage.chatId });
const claim = (delivery: DeliveryRow, token: string = randomUUID()) =>
  claimDelivery(context(), refOf(delivery.id), token);
/** Records what the run learnt about an attempt. */
const tell = (delivery: DeliveryRow, news: Omit<DeliveryNews, 'learntBy'>, attempt = 1) =>
  recordDeliveryNews(context(), refOf(delivery.id), attempt, news);
/** Records what the carrier reported by a callback. */
const callBack = (messageUuid: string, carrierStatus: string, errorCode?: string) =>
  recordStatusCallback(context(), {
    workspaceId: suite.workspace.workspaceId,
    messageUuid,
    attempt: 1,
    carrierMessageId: 'SM1',
    carrierStatus,
    ...(errorCode === undefined ? {} : { errorCode }),
  });
const phone = () => stage.member.row.phone ?? '';
const optOut = () =>
  suite.workspace.database.inWorkspace(suite.workspace.workspaceId, (tx) =>
    optOutOfSms(tx, { phone: phone(), sender: stage.number, source: 'keyword', now: clock.now() }),
  );
const isOptedOut = () =>
  suite.workspace.database.inWorkspace(suite.workspace.workspaceId, (tx) => hasOptedOut(tx, phone()));

describe('claimDelivery', () => {
  it('returns the message to send and the number of the attempt', async () => {
    const { delivery, message } = await stage.write('Hello');

    expect(await claim(delivery)).toEqual({
      kind: 'claimed',
      workspaceUuid: suite.workspace.workspaceUuid,
      messageUuid: message.uuid,
      attempt: 1,
      from: stage.number,
      to: phone(),
      body: 'Hello',
      validitySeconds: lifeSpanMs / 1_000,
    });
  });

  it('claims a delivery once, because a claimed message may have been sent', async () => {
    const { delivery } = await stage.write('Hello');

    const claims = await Promise.all(Array.from({ length: 5 }, () => claim(delivery)));

    expect(claims.map(({ kind }) => kind).sort()).toEqual([
      'claimed',
      ...Array.from({ length: 4 }, () => 'claimed_before'),
    ]);
  });

  it('fails the delivery when the member opted out after it was queued', async () => {
    const { delivery, message } = await stage.write('Hello');
    await optOut();

    expect(await claim(delivery)).toEqual({ kind: 'settled' });

    expect(await stage.delivery(message.uuid)).toMatchObject({ state: 'failed', attempts: 0 });
    expect(await stage.message(message.uuid)).toMatchObject({
      smsDeliveryStatus: 'failed',
      smsDeliveryFailureReason: 'opted_out',
      smsDeliveryUpdatedAt: clock.now(),
    });
  });

  it('claims a delivery after a new opt-in', async () => {
    await optOut();
    await suite.workspace.database.inWorkspace(suite.workspace.workspaceId, (tx) => optInToSms(tx, phone()));
    const { delivery } = await stage.write('Hello');

    expect(await claim(delivery)).toMatchObject({ kind: 'claimed' });
  });

  it('returns settled for a settled and for an unknown delivery', async () => {
    const { delivery } = await stage.write('Hello');
    await claim(delivery);
    await tell(delivery, { state: 'sent', carrierMessageId: 'SM1' });

    expect(await claim(delivery)).toEqual({ kind: 'settled' });
    expect(await claimDelivery(context(), refOf(987_654_321), randomUUID())).toEqual({ kind: 'settled' });
  });

  it('claims the next attempt after a release, which needs the token of the current claim', async () => {
    const { delivery, message } = await stage.write('Hello');
    const token = randomUUID();
    await claim(delivery, token);
    await releaseDelivery(context(), refOf(delivery.id), { token, counts: true });

    expect(await stage.delivery(message.uuid)).toMatchObject({ state: 'queued', claimedAt: null });
    expect(await claim(delivery)).toMatchObject({ kind: 'claimed', attempt: 2 });
    await releaseDelivery(context(), refOf(delivery.id), { token, counts: true });
    expect((await stage.delivery(message.uuid)).state).toBe('claimed');
  });

  it('repeats the number of an attempt that was released without counting', async () => {
    const { delivery } = await stage.write('Hello');
    const token = randomUUID();
    await claim(delivery, token);
    await releaseDelivery(context(), refOf(delivery.id), { token, counts: false });

    expect(await claim(delivery)).toMatchObject({ kind: 'claimed', attempt: 1 });
  });

  it('returns the same claim for the same token only', async () => {
    const { delivery } = await stage.write('Hello');
    const token = randomUUID();
    const first = await claim(delivery, token);

    expect(await claim(delivery, token)).toEqual(first);
    expect(await claim(delivery)).toEqual({ kind: 'claimed_before' });
  });
});

describe('the state of a delivery', () => {
  const claimed = async () => {
    const { delivery, message } = await stage.write('Hello');
    await claim(delivery);
    const state = async () => (await stage.delivery(message.uuid)).state;
    const shown = async () => {
      const row = await stage.message(message.uuid);
      return [row.smsDeliveryStatus, row.smsDeliveryErrorCode, row.smsDeliveryFailureReason];
    };
    return { delivery, uuid: message.uuid, state, shown };
  };

  it.each([
    [['sent', 'delivered'], 'delivered'],
    [['delivered', 'sent'], 'delivered'],
    [['delivered', 'failed'], 'delivered'],
    [['failed', 'delivered'], 'failed'],
    [['sent', 'failed', 'sent'], 'failed'],
  ] as const)('becomes, after the callbacks %s, %s: a terminal state stays', async (states, last) => {
    const { uuid, state } = await claimed();

    for (const told of states) await callBack(uuid, told);

    expect(await state()).toBe(last);
  });

  it('follows a callback rather than what the run learns of the same attempt', async () => {
    const { delivery, uuid, shown } = await claimed();

    await callBack(uuid, 'undelivered', '30005');
    await tell(delivery, { state: 'sent', carrierMessageId: 'SM1' });

    expect(await shown()).toEqual(['failed', '30005', 'unknown_number']);
  });

  it('ignores what the run reports on an attempt that another one has followed', async () => {
    const { delivery, uuid, state } = await claimed();
    await callBack(uuid, 'undelivered', '30003');
    await claim(delivery);

    await tell(delivery, { state: 'sent' }, 1);

    expect(await state()).toBe('claimed');
  });

  it('keeps the time at which the message was first sent', async () => {
    const { delivery, uuid } = await claimed();
    const sentAt = clock.now();
    await tell(delivery, { state: 'sent', carrierMessageId: 'SM1' });
    clock.advance(minutes(1));
    await callBack(uuid, 'delivered');

    expect(await stage.delivery(uuid)).toMatchObject({ sentAt, carrierMessageId: 'SM1' });
  });

  it('changes from unknown_outcome to what a callback reports, also on the message', async () => {
    const { delivery, uuid, state, shown } = await claimed();
    await tell(delivery, { state: 'failed', failureReason: 'unknown_outcome' });
    expect(await shown()).toEqual(['failed', null, 'unknown_outcome']);

    await callBack(uuid, 'sent');
    expect(await shown()).toEqual(['sent', null, null]);
    expect(await stage.delivery(uuid)).toMatchObject({ receiptDueAt: expect.any(Date) });
    await callBack(uuid, 'delivered');

    expect(await state()).toBe('delivered');
    expect(await shown()).toEqual(['delivered', null, null]);
  });

  it('gets its error code from a callback that comes after unknown_outcome', async () => {
    const { delivery, uuid, shown } = await claimed();
    await tell(delivery, { state: 'failed', failureReason: 'unknown_outcome' });

    await callBack(uuid, 'undelivered', '30005');

    expect(await shown()).toEqual(['failed', '30005', 'unknown_number']);
  });

  it.each(['21611', '30001', '30002', '30022'])(
    'is queued again until it expires after error %s, which says nothing about the message',
    async (errorCode) => {
      const { delivery, state, shown } = await claimed();
      let attempt = 1;
      await tell(delivery, { state: 'failed', errorCode });
      while ((await state()) === 'queued') {
        const step = await next();
        clock.advance((step as { until: number }).until - clock.now().getTime());
        await claim(delivery);
        attempt += 1;
        await tell(delivery, { state: 'failed', errorCode }, attempt);
      }

      expect(attempt).toBeGreaterThan(10);
      expect(clock.now().getTime() - delivery.createdAt.getTime()).toBeGreaterThan(lifeSpanMs * 0.8);
      expect((await shown()).slice(0, 2)).toEqual(['failed', errorCode]);
    },
  );

  it.each(['30003', '30008'])('is queued twice more, later each time, after error %s', async (errorCode) => {
    const { delivery, uuid, state, shown } = await claimed();

    await tell(delivery, { state: 'failed', errorCode });
    expect(await stage.delivery(uuid)).toMatchObject({
      state: 'queued',
      notBefore: new Date(clock.now().getTime() + minutes(1)),
    });
    expect(await next()).toMatchObject({ kind: 'wait', until: clock.now().getTime() + minutes(1) });
    clock.advance(minutes(1));
    expect(await next()).toEqual({ kind: 'send', deliveryId: delivery.id });

    await claim(delivery);
    await tell(delivery, { state: 'failed', errorCode }, 2);
    expect(await next()).toMatchObject({ kind: 'wait', until: clock.now().getTime() + minutes(5) });
    clock.advance(minutes(5));

    await claim(delivery);
    await tell(delivery, { state: 'failed', errorCode }, 3);
    expect(await state()).toBe('failed');
    expect((await shown()).slice(0, 2)).toEqual(['failed', errorCode]);
  });

  it.each(['21211', '21614', '30004', '30005', '30006', '30007'])(
    'is failed at once after error %s',
    async (errorCode) => {
      const { delivery, state } = await claimed();

      await tell(delivery, { state: 'failed', errorCode });

      expect(await state()).toBe('failed');
      expect(await isOptedOut()).toBe(false);
    },
  );

  it('is failed after error 21610, which opts the member out so that nothing more is sent', async () => {
    const { delivery, shown } = await claimed();
    const later = await stage.write('One more');

    await tell(delivery, { state: 'failed', errorCode: '21610' });

    expect(await shown()).toEqual(['failed', '21610', 'opted_out']);
    expect(await isOptedOut()).toBe(true);
    expect(await claim(later.delivery)).toEqual({ kind: 'settled' });
  });
});

describe('initialMessageError of a chat', () => {
  /** A chat that a colleague begins with a message; `error` reads its initialMessageError. */
  const begun = async () => {
    const operator = suite.workspace.context(suite.workspace.admin, clock);
    const member = await addMember(suite.workspace, { role: suite.workspace.roles.member });
    const { id: phoneNumberId } = await addPhoneNumber(suite.workspace);
    const sms = {
      channel: 'phone-sms',
      phoneNumberId,
      memberId: member.memberId,
      assistantEnabled: false,
    } as const;
    const { id } = await createChat(operator, { ...sms, initialMessage: 'Good morning' });
    const read = <T>(work: Parameters<typeof suite.workspace.database.inWorkspace<T>>[1]) =>
      suite.workspace.database.inWorkspace(suite.workspace.workspaceId, work);
    const [message] = await read((tx) => listRecentHistory(tx, id, 1));
    if (message === undefined) throw new Error('there is no message');
    const delivery = await read((tx) => findDeliveryOfMessage(tx, message.id));
    if (delivery === undefined) throw new Error('there is no delivery');
    const error = async () => (await read((tx) => findChat(tx, id)))?.initialMessageError;
    return { delivery, uuid: message.uuid, error };
  };

  it('is the reason why the carrier refuses the message', async () => {
    const { delivery, error } = await begun();
    expect(await error()).toBeNull();
    await claim(delivery);

    await tell(delivery, { state: 'failed', errorCode: '30005' });

    expect(await error()).toBe('unknown_number');
  });

  it('is set when the message expires', async () => {
    const { delivery, error } = await begun();
    clock.advance(lifeSpanMs);
    await claim(delivery);

    expect(await error()).toBe('expired');
  });

  it('is cleared when a callback reports that the message arrived', async () => {
    const { delivery, uuid, error } = await begun();
    await claim(delivery);
    await tell(delivery, { state: 'failed', failureReason: 'unknown_outcome' });
    expect(await error()).toBe('unknown_outcome');

    await callBack(uuid, 'delivered');

    expect(await error()).toBeNull();
  });

  it('stays null when a later message fails', async () => {
    const { delivery } = await stage.write('One');
    const later = await stage.write('Two');
    await claim(delivery);
    await tell(delivery, { state: 'sent' });
    await claim(later.delivery);
    await tell(later.delivery, { state: 'failed', errorCode: '30005' });

    expect((await stage.chat()).initialMessageError).toBeNull();
  });
});

describe('nextDelivery', () => {
  it('returns the oldest delivery, and the next one only once the carrier has accepted it', async () => {
    const first = await stage.write('One');
    const second = await stage.write('Two');

    expect(await next()).toEqual({ kind: 'send', deliveryId: first.delivery.id });
    await claim(first.delivery);
    expect(await next()).toEqual({
      kind: 'wait',
      until: clock.now().getTime() + firstLookUpMs,
    });
    await tell(first.delivery, { state: 'sent' });
    expect(await next()).toEqual({ kind: 'send', deliveryId: second.delivery.id });
  });

  it('returns the second delivery when the first has failed', async () => {
    const first = await stage.write('One');
    const second = await stage.write('Two');
    await claim(first.delivery);
    await tell(first.delivery, { state: 'failed', errorCode: '30005' });

    expect(await next()).toEqual({ kind: 'send', deliveryId: second.delivery.id });
  });

  it('waits for the retry of the first delivery, to keep the order', async () => {
    const first = await stage.write('One');
    await stage.write('Two');
    await claim(first.delivery);
    await tell(first.delivery, { state: 'failed', errorCode: '30003' });

    expect(await next()).toMatchObject({ kind: 'wait' });
  });

  it('returns a reply before an older message that waits for a retry, and gives the older one up', async () => {
    const old = await stage.write('One, an hour old');
    await claim(old.delivery);
    await tell(old.delivery, { state: 'sent', carrierMessageId: 'SM1' });
    clock.advance(minutes(60));
    await callBack(old.message.uuid, 'undelivered', '30003');
    await stage.memberWrites('a question');
    const reply = await stage.write('The answer');

    expect(await next()).toEqual({ kind: 'send', deliveryId: reply.delivery.id });
    await claim(reply.delivery);
    await tell(reply.delivery, { state: 'sent' });
    clock.advance(minutes(1));
    expect(await next()).toEqual({ kind: 'send', deliveryId: old.delivery.id });
    expect(await claim(old.delivery)).toEqual({ kind: 'settled' });

    expect(await stage.message(old.message.uuid)).toMatchObject({
      smsDeliveryStatus: 'failed',
      smsDeliveryFailureReason: 'expired',
    });
  });

  it('returns the older message first when the member has written since but nothing has failed', async () => {
    const old = await stage.write('One');
    await stage.memberWrites('a question');
    const reply = await stage.write('The answer');

    expect(await next()).toEqual({ kind: 'send', deliveryId: old.delivery.id });
    expect(await claim(old.delivery)).toMatchObject({ kind: 'claimed' });
    await tell(old.delivery, { state: 'sent' });
    expect(await next()).toEqual({ kind: 'send', deliveryId: reply.delivery.id });
  });

  it('returns idle once a delivery has expired, whose claim fails it', async () => {
    const { delivery, message } = await stage.write('Good night');
    clock.advance(lifeSpanMs);

    expect(await claim(delivery)).toEqual({ kind: 'settled' });
    expect(await stage.delivery(message.uuid)).toMatchObject({
      state: 'failed',
      failureReason: 'expired',
      attempts: 0,
    });
    expect(await next()).toEqual({ kind: 'idle' });
  });

  it('leads to a claim with the remaining life span as validity', async () => {
    const { delivery } = await stage.write('Good night');
    clock.advance(lifeSpanMs - minutes(30));

    expect(await claim(delivery)).toMatchObject({ kind: 'claimed', validitySeconds: 1_800 });
  });

  it('returns a second look-up for an attempt that the carrier did not know, and other deliveries meanwhile', async () => {
    const { delivery } = await stage.write('One');
    const later = await stage.write('Two');
    await claim(delivery);
    clock.advance(firstLookUpMs);
    expect(await next()).toEqual({ kind: 'resolve', deliveryId: delivery.id });
    expect(await noteFoundNothing(context(), refOf(delivery.id), 1)).toBe(false);

    expect(await next()).toEqual({ kind: 'send', deliveryId: later.delivery.id });
    await claim(later.delivery);
    await tell(later.delivery, { state: 'sent' });
    expect(await next()).toEqual({
      kind: 'wait',
      until: clock.now().getTime() + secondLookUpMs - firstLookUpMs,
    });
    clock.advance(secondLookUpMs - firstLookUpMs);
    expect(await next()).toEqual({ kind: 'resolve', deliveryId: delivery.id });
    expect(await noteFoundNothing(context(), refOf(delivery.id), 1)).toBe(true);
  });

  it('returns a look-up for an attempt whose outcome is unknown for a minute', async () => {
    const before = await stage.write('Before');
    await claim(before.delivery);
    await tell(before.delivery, { state: 'sent', carrierMessageId: 'SM0' });
    const { delivery } = await stage.write('One');
    await claim(delivery);
    const claimedAt = clock.now().getTime();
    clock.advance(firstLookUpMs);

    expect(await next()).toEqual({ kind: 'resolve', deliveryId: delivery.id });
    const unknown = await findUnknownDelivery(context(), refOf(delivery.id));
    expect(unknown).toMatchObject({
      attempt: 1,
      from: stage.number,
      to: phone(),
      body: 'One',
      knownIds: ['SM0'],
      claimedAt: new Date(claimedAt),
    });
  });

  it('leads to a look-up that considers open attempts of the same text, and takes no message of another delivery', async () => {
    const twin = await stage.write('One');
    const { delivery } = await stage.write('One');
    await claim(twin.delivery);
    const twinClaimedAt = clock.now();
    clock.advance(1_000);
    await claim(delivery);
    const found = () => findUnknownDelivery(context(), refOf(delivery.id));
    expect(await found()).toMatchObject({
      soleAttempt: false,
      claimsBefore: [twinClaimedAt],
      claimsAfter: [],
    });

    await tell(twin.delivery, { state: 'sent', carrierMessageId: 'SM-twin' });
    expect(await found()).toMatchObject({ soleAttempt: true, claimsBefore: [], knownIds: ['SM-twin'] });
    const record = (carrierMessageId: string) =>
      recordFoundMessage(context(), refOf(delivery.id), 1, { state: 'sent', carrierMessageId });
    expect(await record('SM-twin')).toBe(false);
    expect(await found()).toBeDefined();
    expect(await record('SM-own')).toBe(true);
    expect(await found()).toBeUndefined();
  });

  it('returns a look-up of a late receipt after everything that is to be sent, and at most twice', async () => {
    const { delivery, message } = await stage.write('One');
    await claim(delivery);
    await tell(delivery, { state: 'sent', carrierMessageId: 'SM1' });
    const ask = { kind: 'ask_for_receipt', deliveryId: delivery.id };
    const told = () => recordLateReceipt(context(), refOf(delivery.id), 1, { state: 'sent' });

    expect(await next()).toEqual({ kind: 'idle' });
    clock.advance(receiptGraceMs);
    expect(await next()).toEqual(ask);
    const second = await stage.write('Two');
    expect(await next()).toEqual({ kind: 'send', deliveryId: second.delivery.id });
    await claim(second.delivery);
    await tell(second.delivery, { state: 'failed', errorCode: '30005' });

    expect(await findLateReceipt(context(), refOf(delivery.id))).toEqual({
      attempt: 1,
      carrierMessageId: 'SM1',
    });
    await told();
    expect(await next()).toEqual({ kind: 'idle' });
    clock.advance(receiptPatienceMs - receiptGraceMs);
    expect(await next()).toEqual(ask);
    await told();
    expect(await next()).toEqual({ kind: 'idle' });
    expect(await stage.delivery(message.uuid)).toMatchObject({ state: 'sent', receiptDueAt: null });
  });

  it('returns no look-up for a receipt that has arrived', async () => {
    const { delivery, message } = await stage.write('One');
    await claim(delivery);
    await tell(delivery, { state: 'sent', carrierMessageId: 'SM1' });
    await callBack(message.uuid, 'delivered');
    clock.advance(receiptGraceMs);

    expect(await next()).toEqual({ kind: 'idle' });
    expect(await findLateReceipt(context(), refOf(delivery.id))).toBeUndefined();
    await recordLateReceipt(context(), refOf(delivery.id), 1, { state: 'failed', errorCode: '30005' });
    expect((await stage.delivery(message.uuid)).state).toBe('delivered');
  });

  it('returns idle when there is no delivery', async () => {
    expect(await next()).toEqual({ kind: 'idle' });
  });
});

describe('the poke of a run by a status callback', () => {
  const pokes = () =>
    suite.workspace.database.inWorkspace(suite.workspace.workspaceId, async (tx) => {
      const { rows } = await tx.raw(
        `select o.id from outbox o join chats c on c.uuid = o.subject
         where o.run_type = 'deliverMessages' and c.id = ?`,
        [stage.chatId],
      );
      return rows.length as number;
    });
  /** A claimed delivery, as while the carrier is called, and the number of pokes until then. */
  const claimed = async () => {
    const { delivery, message } = await stage.write('Hello');
    await claim(delivery);
    return { delivery, uuid: message.uuid, before: await pokes() };
  };

  it.each(['sent', 'delivered', 'failed'])(
    'is not written for %s of an attempt under way',
    async (status) => {
      const { uuid, before } = await claimed();

      await callBack(uuid, status);

      expect(await pokes()).toBe(before);
    },
  );

  it.each(['delivered', 'failed'])('is not written for %s of a sent message', async (status) => {
    const { delivery, uuid, before } = await claimed();
    await tell(delivery, { state: 'sent', carrierMessageId: 'SM1' });

    await callBack(uuid, status);

    expect(await pokes()).toBe(before);
  });

  it.each(['sent', 'delivered', 'failed'])(
    'is written for %s of an attempt whose outcome the run waits for',
    async (status) => {
      const { uuid, before } = await claimed();
      expect(await next()).toMatchObject({ kind: 'wait' });

      await callBack(uuid, status);

      expect(await pokes()).toBe(before + 1);
    },
  );

  it('is written for a transient failure, because the message has to be sent again', async () => {
    const { delivery, uuid, before } = await claimed();
    await tell(delivery, { state: 'sent', carrierMessageId: 'SM1' });

    await callBack(uuid, 'undelivered', '30003');

    expect(await pokes()).toBe(before + 1);
    expect(await next()).toMatchObject({ kind: 'wait' });
  });

  it('is written unless nextDelivery sees the callback, also when both happen at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { uuid, before } = await claimed();

      const [found] = await Promise.all([next(), callBack(uuid, 'delivered')]);

      expect(found.kind === 'wait' ? await pokes() : before + 1).toBe(before + 1);
      expect(await next()).toEqual({ kind: 'idle' });
    }
  });

  it('is decided anew for each attempt', async () => {
    const { delivery, uuid } = await claimed();
    await next();
    await callBack(uuid, 'undelivered', '30003');
    clock.advance(minutes(1));
    await claim(delivery);

    expect((await stage.delivery(uuid)).outcomeUnknown).toBe(false);
  });
});
