import { MockActivityEnvironment } from '@temporalio/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { type TextPricesPass, textPriceActivities } from '../../../activities/channels/text-prices.js';
import { pricesOfTexts } from '../../../domain/channels/sms/store-text-prices.js';
import {
  type BilledSms,
  type Carrier,
  CarrierBusy,
  CarrierUnusable,
  type ListQuery,
} from '../../../providers/carrier/carrier.js';
import { queryOnce } from '../../support/db/connect.js';
import { useDatabase } from '../../support/db/use-database.js';
import { days, hours, MovedClock } from '../../support/lib/moved-clock.js';
import { addPhoneNumber } from '../../support/workspace/definitions.js';
import { createWorkspace, type TestWorkspace, uniquePhone } from '../../support/workspace/factories.js';

const testDatabase = useDatabase();
const someone = '+12025550123';
const ended = new Date('2026-11-20T10:30:00Z');

let clock: MovedClock;
/** What the account has sent and received. */
let account: BilledSms[];
/** What the carrier was asked for, without the pages that follow. */
let asked: ListQuery[];
/** What goes wrong with a request, by the page that it asks for. */
let failure: ((page: string | undefined) => Error | undefined) | undefined;
let number: string;
let workspace: TestWorkspace;

beforeEach(async () => {
  [clock, account, asked, failure] = [new MovedClock(ended), [], [], undefined];
  await queryOnce(testDatabase.superuserUrl, 'delete from identity.walks', []);
  workspace = await createWorkspace(testDatabase.database);
  number = await numberOf(workspace);
});

/** A number that a workspace has had for long. */
async function numberOf(owner: TestWorkspace, createdAt = new Date('2026-01-01T00:00:00Z')) {
  const { id, number: own } = await addPhoneNumber(owner);
  await testDatabase.database.inWorkspace(owner.workspaceId, (tx) =>
    tx('phone_numbers').where({ id }).update({ created_at: createdAt }),
  );
  return own;
}

/** Has two messages on a page. */
const carrier = {
  async listBilled({ since, until, page }: ListQuery) {
    if (page === undefined) asked.push({ since, until });
    const failed = failure?.(page);
    if (failed !== undefined) throw failed;
    const listed = account.filter(({ sentAt }) => sentAt >= since && sentAt <= until);
    const at = Number(page ?? 0);
    return {
      messages: listed.slice(at, at + 2),
      ...(at + 2 < listed.length ? { nextPage: String(at + 2) } : {}),
    };
  },
} as unknown as Carrier;

let texts = 0;
/** Their ids are in the order in which they were sent, as the rows of a page are stored by id. */
function text(more: Partial<BilledSms> = {}): BilledSms {
  texts += 1;
  const carrierMessageId = `SM${String(texts).padStart(4, '0')}`;
  const sentAt = new Date(clock.now().getTime() - hours(2.5));
  const sent = { carrierMessageId, from: number, to: someone, inbound: false, sentAt, segments: 1, ...more };
  account.push(sent);
  return sent;
}

const usd = (amount: string) => ({ amount, currency: 'USD' });

function slice(next?: { from: number }, sliceMs?: number): Promise<TextPricesPass> {
  const { database: db } = testDatabase;
  const { storeTextPrices } = textPriceActivities(
    { db, clock, carrier },
    sliceMs === undefined ? {} : { sliceMs },
  );
  return new MockActivityEnvironment().run(storeTextPrices, next);
}

const stored = ({ workspaceId }: TestWorkspace = workspace) =>
  testDatabase.database.readInWorkspace(workspaceId, (tx) =>
    tx('carrier_texts')
      .select('carrier_message_id', 'inbound', 'sent_at', 'segments', 'price', 'price_unit')
      .orderBy('id'),
  );
const known = () => testDatabase.database.identity.walks.looked(pricesOfTexts);

describe('what a text has cost', () => {
  it('is stored with the workspace whose number sent or received it, in its currency', async () => {
    const sent = text({ price: usd('0.00790'), segments: 2 });
    const received = text({
      from: someone,
      to: number,
      inbound: true,
      price: { amount: '0.07', currency: 'EUR' },
    });

    expect(await slice()).toEqual({ listed: 2, stored: 2, carrier: 'asked' });

    expect(await stored()).toMatchObject([
      {
        carrier_message_id: sent.carrierMessageId,
        inbound: false,
        segments: 2,
        price: 0.0079,
        price_unit: 'USD',
      },
      { carrier_message_id: received.carrierMessageId, inbound: true, price: 0.07, price_unit: 'EUR' },
    ]);
  });

  it('is stored once it is known, and stays if the carrier does not tell it any more', async () => {
    const sent = text();
    await slice();
    expect(await stored()).toMatchObject([{ price: null, price_unit: null }]);

    clock.advance(days(2));
    sent.price = usd('0.01');
    expect(await slice()).toMatchObject({ listed: 1, stored: 1 });
    delete sent.price;
    expect(await slice()).toMatchObject({ listed: 1, stored: 0 });

    expect(await stored()).toMatchObject([{ price: 0.01, price_unit: 'USD' }]);
  });

  it('is unknown for ever where the carrier never bills', async () => {
    text();
    for (let day = 0; day < 5; day += 1) {
      await slice();
      clock.advance(days(1));
    }
    expect(await stored()).toMatchObject([{ price: null }]);
  });

  it('is changed where the carrier corrects it, and counted once however often it is listed', async () => {
    const sent = text({ price: usd('0.01') });
    account.push(sent);
    await slice();
    expect(await slice()).toMatchObject({ stored: 0 });
    sent.price = usd('0.02');
    expect(await slice()).toMatchObject({ stored: 1 });
    expect(await stored()).toMatchObject([{ price: 0.02 }]);
  });

  it('is that of one workspace of the account, also between two of them', async () => {
    const other = await createWorkspace(testDatabase.database);
    const otherNumber = await numberOf(other);
    const sent = text({ to: otherNumber });
    const received = text({ from: number, to: otherNumber, inbound: true });

    await slice();

    expect(await stored()).toMatchObject([{ carrier_message_id: sent.carrierMessageId }]);
    expect(await stored(other)).toMatchObject([{ carrier_message_id: received.carrierMessageId }]);
  });

  it('is left where the number is of no workspace, or was another’s then', async () => {
    const fresh = await numberOf(workspace, new Date(ended.getTime() - hours(1)));
    text({ from: uniquePhone(), price: usd('1') });
    text({ from: fresh, price: usd('1') });
    const own = text({ from: fresh, sentAt: new Date(ended.getTime() - hours(0.5)) });

    expect(await slice()).toMatchObject({ listed: 3, stored: 1 });

    expect(await stored()).toMatchObject([{ carrier_message_id: own.carrierMessageId }]);
  });
});

describe('a pass', () => {
  const day = (count: number) => new Date(ended.getTime() - days(count));

  it('reads the list of a month first, then three days before the last look, however long ago that is', async () => {
    await slice();
    expect(asked[0]?.since).toEqual(day(31));
    expect(asked.at(-1)?.until).toEqual(ended);
    expect(await known()).toEqual({ from: day(31), until: ended });

    clock.advance(days(6));
    asked = [];
    const missed = text({ sentAt: new Date(ended.getTime() + days(1)) });
    await slice();

    expect(asked[0]?.since).toEqual(day(3));
    expect(await stored()).toMatchObject([{ carrier_message_id: missed.carrierMessageId }]);
    expect(await known()).toEqual({ from: day(31), until: clock.now() });
  });

  it('says after a longer outage that what is known begins anew', async () => {
    await slice();
    clock.advance(days(60));
    await slice();
    const from = new Date(clock.now().getTime() - days(31));
    expect(await known()).toEqual({ from, until: clock.now() });
  });

  it('goes on where its slice ended', async () => {
    const [early, late] = [text({ sentAt: day(30) }), text({ sentAt: day(1) })];
    let found = await slice(undefined, 0);
    expect(found).toMatchObject({ carrier: 'more', next: { from: day(31).getTime() + hours(1) } });
    let slices = 1;
    for (; typeof found.next === 'object'; slices += 1) found = await slice(found.next, 0);

    expect(slices).toBe(31 * 24);
    expect(found).toMatchObject({ carrier: 'asked' });
    expect(await stored()).toMatchObject(
      [early, late].map(({ carrierMessageId }) => ({ carrier_message_id: carrierMessageId })),
    );
    expect(await known()).toEqual({ from: day(31), until: ended });
  });

  it('that breaks off between two pages is repeated, and counts nothing twice', async () => {
    for (let count = 0; count < 5; count += 1) text({ price: usd('0.01') });
    failure = (page) => (page === '2' ? new CarrierBusy('http_503', 1_000) : undefined);

    await expect(slice()).rejects.toMatchObject({ type: 'carrier_busy' });
    expect(await stored()).toHaveLength(2);
    expect(await known()).toBeUndefined();
    failure = undefined;

    expect(await slice()).toMatchObject({ listed: 5, stored: 3 });
    expect(await stored()).toHaveLength(5);
  });

  it('waits for the next one while the account cannot be used, and that makes up for it', async () => {
    text({ sentAt: day(31) });
    const late = text({ price: usd('0.01') });
    failure = () => (asked.length > 10 ? new CarrierUnusable('20003') : undefined);

    expect(await slice()).toEqual({ listed: 1, stored: 1, carrier: 'unavailable' });
    expect(await known()).toEqual({ from: day(31), until: new Date(day(31).getTime() + hours(10)) });
    expect(asked).toHaveLength(11);
    failure = undefined;
    clock.advance(days(1));
    await slice();

    expect(await stored()).toMatchObject([{}, { carrier_message_id: late.carrierMessageId, price: 0.01 }]);
  });
});
