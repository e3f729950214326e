import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type DeliveryRow, insertDelivery, patchDelivery } from '../../../../db/channels/deliveries.js';
import { insertMessage } from '../../../../db/conversations/messages.js';
import { awaitTime } from '../../../../domain/channels/deliveries/await-time.js';
import { releaseDelivery } from '../../../../domain/channels/deliveries/claim-delivery.js';
import { countAnswer, slowDownAfter } from '../../../../domain/channels/deliveries/pace.js';
import { updatePhoneNumber } from '../../../../domain/channels/phone-numbers/update-phone-number.js';
import { smsLifeSpanMs } from '../../../../domain/channels/sms/sms-channel.js';
import { deleteMember } from '../../../../domain/people/members/delete-member.js';
import { useDeliveries } from '../../../support/chats/use-deliveries.js';
import { hours } from '../../../support/lib/moved-clock.js';

const { workspace, clock, stage, context, refOf, next, claim, record } = useDeliveries();

const mayGo = (delivery: DeliveryRow) => awaitTime(context(), refOf(delivery));
const rowOf = ({ id }: DeliveryRow) => workspace.within((tx) => tx('deliveries').where({ id }).first());
/** In seconds from now; 0 if it may be sent at once. */
const waitOf = async (delivery: DeliveryRow) => {
  if (await mayGo(delivery)) return 0;
  const { slot_at: slotAt } = await rowOf(delivery);
  return slotAt === null ? Number.NaN : (slotAt.getTime() - clock.now().getTime()) / 1_000;
};
const setPace = async (segmentsPerSecond: number | null) => {
  const { id } = await workspace.within((tx) => tx('phone_numbers').where({ number: stage.number }).first());
  await updatePhoneNumber(workspace.context(), Number(id), { segmentsPerSecond });
};

/** Messages of a campaign from the number, each for another person. */
async function campaign(count: number, text = 'Hello'): Promise<DeliveryRow[]> {
  return workspace.within(async (tx) => {
    const queued: DeliveryRow[] = [];
    for (let index = 0; index < count; index += 1) {
      const written = { chatId: stage.chatId, role: 'assistant', author: 'workflow', content: text } as const;
      const { id: messageId } = await insertMessage(tx, written);
      const route = { sender: stage.number, recipient: `+1202555${String(1_000 + index)}` };
      const kind = { channel: 'phone-sms', purpose: 'task', begunBy: 'task', orderGroup: null } as const;
      const expiresAt = new Date(clock.now().getTime() + smsLifeSpanMs);
      queued.push(
        await insertDelivery(tx, { chatId: stage.chatId, messageId, ...kind, ...route, expiresAt }),
      );
    }
    return queued;
  });
}
const waitsOf = async (deliveries: DeliveryRow[]) => {
  const waits: number[] = [];
  for (const delivery of deliveries) waits.push(await waitOf(delivery));
  return waits;
};

describe('the pace of a number', () => {
  it('lets ten segments go at once, and one in a second from then on', async () => {
    expect(await waitsOf(await campaign(13))).toEqual([...Array(11).fill(0), 1, 2]);
  });

  it('is that of the number, and counts segments', async () => {
    await setPace(4);
    // Of 1,000 letters are seven segments.
    expect(await waitsOf(await campaign(5, 'x'.repeat(1_000)))).toEqual([0, 0, 1, 2.75, 4.5]);
  });

  it('returns with the time that passes, up to ten segments', async () => {
    await waitsOf(await campaign(11));
    clock.advance(5_000);
    expect(await waitsOf(await campaign(7))).toEqual([0, 0, 0, 0, 0, 1, 2]);
    clock.advance(hours(1));
    expect((await waitsOf(await campaign(12))).slice(9)).toEqual([0, 0, 1]);
  });

  it('gives each of a hundred messages that many workers take up at once a slot of its own', async () => {
    const queued = await campaign(100);
    const waits = await Promise.all(queued.map(waitOf));
    expect(waits.sort((one, other) => one - other)).toEqual([
      ...Array(11).fill(0),
      ...Array.from({ length: 89 }, (_, index) => index + 1),
    ]);
  });

  it('lets a message be claimed when its slot has come, and takes no second slot for it', async () => {
    const queued = await campaign(13);
    await waitsOf(queued);
    const last = queued[12] as DeliveryRow;
    clock.advance(2_000);
    expect(await mayGo(last)).toBe(true);
    expect(await mayGo(last)).toBe(true);
    const [after] = await campaign(1);
    expect(await waitOf(after as DeliveryRow)).toBe(1);
  });

  it('gives what has missed its slot by a minute another from now on, at the pace, and not behind all others', async () => {
    const queued = await campaign(40);
    await waitsOf(queued);
    clock.advance(120_000);
    await waitsOf(await campaign(100));
    expect(await waitsOf(queued.slice(15, 28))).toEqual([...Array(11).fill(0), 1, 2]);
  });

  it('keeps the slot of what the carrier did not take', async () => {
    const [first] = (await campaign(1)) as [DeliveryRow];
    await mayGo(first);
    const token = randomUUID();
    await claim(first, token);
    await releaseDelivery(context(), refOf(first), { token, counts: true });
    await waitsOf(await campaign(60));
    expect(await waitOf(first)).toBe(0);
  });

  it('fails at once what would expire before its slot, and a person is told', async () => {
    await setPace(0.1);
    const queued = await campaign(64, 'я'.repeat(1_600));
    const waits = await waitsOf(queued);
    const never = queued[waits.findIndex((wait) => Number.isNaN(wait))] as DeliveryRow;
    expect(Math.max(...waits.filter((wait) => !Number.isNaN(wait)))).toBeLessThanOrEqual(
      smsLifeSpanMs / 1_000,
    );
    expect(await rowOf(never)).toMatchObject({ state: 'failed', failure_reason: 'queue_full' });
    expect((await stage.chat()).needsResponseReason).toBe('delivery_failed');
  });

  it('tells nobody of what would expire before its slot where the member was deleted: nobody can answer there', async () => {
    await setPace(0.1);
    const queued = await campaign(64, 'я'.repeat(1_600));
    await deleteMember(workspace.context(), stage.member.memberId);
    const waits = await waitsOf(queued);
    const never = queued[waits.findIndex((wait) => Number.isNaN(wait))] as DeliveryRow;
    expect(await rowOf(never)).toMatchObject({ state: 'failed', failure_reason: 'queue_full' });
    expect(await stage.chat()).toMatchObject({ needsResponse: false });
  });
});

describe('answers and the pace', () => {
  it('do not wait, and are taken from it', async () => {
    await waitsOf(await campaign(13));
    for (const text of ['One', 'Two', 'Three']) {
      const { delivery } = await stage.write(text);
      expect(await claim(delivery)).toMatchObject({ kind: 'claimed' });
    }
    const [after] = await campaign(1);
    expect(await waitOf(after as DeliveryRow)).toBe(6);
  });

  it('delay what is begun by a minute at most', async () => {
    await waitsOf(await campaign(1));
    const { delivery } = await stage.write('я'.repeat(1_600));
    const message = await stage.message((await stage.write('я'.repeat(1_600))).message.uuid);
    for (let count = 0; count < 5; count += 1) {
      await workspace.within((tx) => countAnswer(tx, delivery, message, clock.now()));
    }
    const [after] = await campaign(1);
    expect(await waitOf(after as DeliveryRow)).toBe(60);
  });

  it('overtake what waits for its slot in the same chat', async () => {
    await waitsOf(await campaign(11));
    const [begun] = (await campaign(1)) as [DeliveryRow];
    await workspace.within((tx) => patchDelivery(tx, begun.id, { recipient: stage.member.row.phone ?? '' }));
    expect(await waitOf(begun)).toBe(1);
    await workspace.within(async (tx) =>
      tx('deliveries').where({ chat_id: stage.chatId }).whereNot({ id: begun.id }).delete(),
    );
    expect(await next()).toEqual({ kind: 'wait', until: clock.now().getTime() + 1_000, code: 'pace' });
    const [behind] = (await campaign(1)) as [DeliveryRow];
    await workspace.within((tx) => patchDelivery(tx, behind.id, { recipient: stage.member.row.phone ?? '' }));
    const { delivery } = await stage.write('Please come at once');
    expect(await next()).toEqual({ kind: 'send', deliveryId: delivery.id });
    await claim(delivery);
    await record(delivery, { state: 'sent', carrierMessageId: 'SM1' });
    expect(await next()).toMatchObject({ kind: 'wait' });
    await slowDownAfter(context(), refOf(begun), 30_000);
    const { delivery: again } = await stage.write('Now');
    expect(await next()).toEqual({ kind: 'send', deliveryId: again.id });
  });

  it('do not wait for a worker that takes a slot', async () => {
    const [first] = await campaign(1);
    await mayGo(first as DeliveryRow);
    const { delivery } = await stage.write('Hello');
    await workspace.within(async (tx) => {
      await tx.raw('select from sender_paces where sender = ? for update', [stage.number]);
      expect(await claim(delivery)).toMatchObject({ kind: 'claimed' });
    });
  });

  it('write nothing for a number that begins no exchange', async () => {
    const { delivery } = await stage.write('Hello');
    await claim(delivery);
    expect(await workspace.within((tx) => tx('sender_paces').where({ sender: stage.number }))).toEqual([]);
  });

  it('go on while the carrier takes no more of what is begun', async () => {
    const [first, second] = (await campaign(2)) as [DeliveryRow, DeliveryRow];
    await mayGo(first);
    await slowDownAfter(context(), refOf(first), 30_000);

    expect(await rowOf(first)).toMatchObject({
      state: 'queued',
      not_before: new Date(clock.now().getTime() + 30_000),
    });
    expect(await waitOf(second)).toBe(30);
    const { delivery } = await stage.write('Hello');
    expect(await next()).toEqual({ kind: 'send', deliveryId: delivery.id });
    expect(await claim(delivery)).toMatchObject({ kind: 'claimed' });
  });

  it.each([
    ['a second at least', 0, 1],
    ['five minutes at most', hours(1), 300],
    ['a minute if it does not say', undefined, 60],
  ])('wait of what is begun for %s, as the carrier asks', async (_what, asked, seconds) => {
    const [first, second] = (await campaign(2)) as [DeliveryRow, DeliveryRow];
    await slowDownAfter(context(), refOf(first), asked);
    expect(await waitOf(second)).toBe(seconds);
  });

  it.each(['21611', '30001', '30022'])(
    'code %s slows a number down, and takes slots anew',
    async (errorCode) => {
      const queued = (await campaign(13)) as [DeliveryRow, ...DeliveryRow[]];
      await waitsOf(queued);
      await claim(queued[0]);
      await record(queued[0], { state: 'failed', errorCode });
      clock.advance(2_000);
      expect(await waitOf(queued[12] as DeliveryRow)).toBe(58);
    },
  );

  it('is left alone by other codes', async () => {
    const [first, second] = (await campaign(2)) as [DeliveryRow, DeliveryRow];
    await claim(first);
    await record(first, { state: 'failed', errorCode: '30003' });
    expect(await waitOf(second)).toBe(0);
  });
});
