import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { liveOutreach } from '../../../../domain/calls/live-outreach.js';
import { reserveLoginNumber } from '../../../../domain/channels/phone-number-pool/fill-pool.js';
import { receiveSms } from '../../../../domain/conversations/chats/receive-sms.js';
import { takeMissedMessages } from '../../../../domain/conversations/chats/take-missed-messages.js';
import { visitorsOf } from '../../../support/api/browser.js';
import { testLoginSmsFrom } from '../../../support/api/login.js';
import { useApi } from '../../../support/api/use-api.js';
import { MovedClock, minutes } from '../../../support/lib/moved-clock.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import { uniqueEmail, uniquePhone } from '../../../support/workspace/factories.js';

const clock = new MovedClock(new Date('2031-05-01T12:00:00Z'));
const { api, workspace } = useApi({ clock, trustedProxies: 1 });
const context = () => ({ db: workspace.database, clock, outreach: liveOutreach });

beforeAll(async () => {
  await reserveLoginNumber(context(), testLoginSmsFrom);
});

const visitor = visitorsOf(api);
async function known(): Promise<string> {
  const phone = uniquePhone();
  await workspace.database.identity.accounts.create({ email: uniqueEmail(), phone });
  return phone;
}
const text = (from: string, body: string, to = testLoginSmsFrom) =>
  receiveSms(context(), { carrierMessageId: `SM${randomUUID().replaceAll('-', '')}`, from, to, body });
const ask = (address: { phone: string } | { email: string }, browser = visitor()) =>
  browser.request('POST', '/login-codes', { body: address });
const refused = { status: 409, body: { code: 'opted_out' } };

describe('a phone number opted out of login codes by STOP', () => {
  it('gets the same refusal for a login code whether or not an account has the number', async () => {
    const [member, stranger] = [await known(), uniquePhone()];
    for (const phone of [member, stranger]) await text(phone, 'Stop');

    const [first, second] = [await ask({ phone: member }), await ask({ phone: stranger })];

    expect(first).toMatchObject(refused);
    expect({ ...second.body, requestId: '' }).toEqual({ ...first.body, requestId: '' });
    expect(second.status).toBe(first.status);
    expect(await ask({ phone: uniquePhone() })).toMatchObject({ status: 202 });
    expect(await ask({ email: uniqueEmail() })).toMatchObject({ status: 202 });
  });

  it('counts against the quota of the requester', async () => {
    const phone = await known();
    await text(phone, 'STOP');
    const browser = visitor();
    for (let asked = 0; asked < 5; asked += 1) {
      expect(await ask({ phone }, browser)).toMatchObject(refused);
    }
    expect(await ask({ phone }, browser)).toMatchObject({ status: 429 });
  });

  it('cannot be added to an account by a code', async () => {
    const email = uniqueEmail();
    await workspace.database.identity.accounts.create({ email });
    const phone = uniquePhone();
    await text(phone, 'STOP');
    const browser = visitor();
    await browser.signIn({ email });

    expect(await browser.request('POST', '/account/addresses', { body: { phone } })).toMatchObject(refused);
  });

  it.each(['START', 'unstop', 'yes'])('receives codes again after %s', async (word) => {
    const phone = await known();
    await text(phone, 'STOP');
    clock.advance(1_000);
    expect(await text(phone, word)).toEqual({ reply: expect.stringContaining('again') });
    expect(await ask({ phone })).toMatchObject({ status: 202 });
  });

  it('gets one reply to STOP, and none where the carrier has replied', async () => {
    const phone = uniquePhone();
    expect(await text(phone, 'START')).toEqual({});
    expect(await text(phone, 'STOP')).toEqual({ reply: expect.stringContaining('START') });
    expect(await text(phone, 'STOP')).toEqual({});
    expect(await text(phone, 'HELP')).toEqual({ reply: expect.stringContaining('STOP') });
    expect(await text(phone, 'Who are you?')).toEqual({});
    const other = {
      from: uniquePhone(),
      to: testLoginSmsFrom,
      body: 'ARRET',
      carrierKeyword: 'stop',
    } as const;
    expect(await receiveSms(context(), { ...other, carrierMessageId: 'SM1' })).toEqual({});
    expect(await ask({ phone: other.from })).toMatchObject(refused);
  });
});

describe('STOP without effect on login codes', () => {
  it('concerns a number of a workspace', async () => {
    const { number } = await addPhoneNumber(workspace);
    const phone = await known();
    await text(phone, 'STOP', number);
    expect(await ask({ phone })).toMatchObject({ status: 202 });
  });

  it('concerns a former login number or an unknown number', async () => {
    const [phone, other] = [await known(), await known()];
    await text(phone, 'STOP');
    await text(other, 'STOP', uniquePhone());
    await reserveLoginNumber(context(), uniquePhone());

    expect(await ask({ phone })).toMatchObject({ status: 202 });
    expect(await ask({ phone: other })).toMatchObject({ status: 202 });
    await reserveLoginNumber(context(), testLoginSmsFrom);
    expect(await ask({ phone })).toMatchObject(refused);
  });
});

describe('STOP and START found only in the carrier’s message list', () => {
  const listed = (from: string, body: string, receivedAt: Date) => ({
    carrierMessageId: `SM${randomUUID().replaceAll('-', '')}`,
    from,
    to: testLoginSmsFrom,
    body,
    receivedAt,
  });
  const take = (...newestFirst: ReturnType<typeof listed>[]) =>
    takeMissedMessages(context(), newestFirst, (error) => {
      throw error;
    });

  it('take effect in order and once, even if they are listed repeatedly', async () => {
    const [stopped, returned] = [await known(), await known()];
    const at = clock.now();
    const later = new Date(at.getTime() + minutes(1));
    const messages = [
      listed(returned, 'START', later),
      listed(stopped, 'What is this?', later),
      listed(stopped, 'STOP', at),
      listed(returned, 'STOP', at),
    ];

    expect(await take(...messages)).toEqual({ listed: 0, taken: 3, failed: 0 });
    expect(await ask({ phone: stopped })).toMatchObject(refused);
    expect(await ask({ phone: returned })).toMatchObject({ status: 202 });
    expect(await take(...messages)).toMatchObject({ taken: 0 });
    expect(await ask({ phone: returned })).toMatchObject({ status: 202 });
  });

  it('do not override a later message that the webhook delivered', async () => {
    const phone = await known();
    const missed = listed(phone, 'STOP', clock.now());
    clock.advance(minutes(2));
    await text(phone, 'START');
    expect(await take(missed)).toMatchObject({ taken: 0 });
    expect(await ask({ phone })).toMatchObject({ status: 202 });
  });
});
