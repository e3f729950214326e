import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PhoneNumberRow } from '../../../../db/channels/phone-numbers.js';
import { findChat } from '../../../../db/conversations/chats.js';
import { readSituation } from '../../../../domain/agent/read-situation.js';
import { memberOfCaller } from '../../../../domain/conversations/chats/sender-member.js';
import { mayBeReadByAnother } from '../../../../domain/kernel/who-else-reads.js';
import { visitorsOf } from '../../../support/api/browser.js';
import { loginCodeOf } from '../../../support/api/login.js';
import { useApi } from '../../../support/api/use-api.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import { addMember, uniqueEmail, uniquePhone } from '../../../support/workspace/factories.js';
import { useSignedApi } from '../../channels/carrier-messages/signed-api.js';
import { signUpDesk } from './sign-up-desk.js';

const { api, workspace, asAdmin } = useApi({ trustedProxies: 1, storesEvents: true });
const carrier = useSignedApi(() => workspace.database);
const visitor = visitorsOf(api);
let number: PhoneNumberRow;
/** By who calls: a public form, whose key may only sign people up, or a server that manages members. */
const keys: Record<'form' | 'server', string> = { form: '', server: '' };

beforeAll(async () => {
  number = await addPhoneNumber(workspace);
  keys.form = (await addMember(workspace, { permissions: ['account:create'] })).apiKey;
  keys.server = workspace.admin.apiKey;
  const fields = [{ slug: 'reason', name: 'Reason', fieldType: 'text' }];
  const type = { name: 'Visit', slug: 'visit', isCollection: true, fields };
  expect((await asAdmin('POST', '/data-types', type)).status).toBe(201);
});

type By = keyof typeof keys;
const signUp = (by: By, member: object, data?: object) => signUpDesk(api, workspace, keys[by])(member, data);
const visit = (externalId: string, reason = 'a cough') => ({ visit: { externalId, values: { reason } } });
const memberOf = async (id: number) => (await asAdmin('GET', `/members/${id}`)).body;
const statesOf = async (id: number) =>
  (((await memberOf(id)).addresses ?? []) as { channel: string; value: string; state: string }[]).map(
    ({ channel, value, state }) => [channel, value, state],
  );

async function eventsOf(memberId: number) {
  const rows: { body: string }[] = await workspace.within((tx) =>
    tx('events').where({ event_type: 'member:updated' }).orderBy('id').select('body'),
  );
  return rows.map(({ body }) => JSON.parse(body).member).filter(({ id }) => id === memberId);
}

const text = (from: string, body: string) =>
  carrier.call('/carrier-messages/inbound', {
    MessageSid: `SM${randomUUID().replaceAll('-', '')}`,
    AccountSid: `AC${'0'.repeat(32)}`,
    From: from,
    To: number.number,
    Body: body,
    NumMedia: '0',
  });
async function chatOfText(body: string): Promise<{ id: number; memberId: number } | undefined> {
  return workspace.within((tx) =>
    tx('messages as m')
      .join('chats as c', 'c.id', 'm.chat_id')
      .where('m.content', JSON.stringify(body))
      .first('c.id', 'c.member_id as memberId'),
  );
}
/** An SMS chat that the workspace begins with a member. */
async function textedChat(memberId: number): Promise<number> {
  const started = { channel: 'phone-sms', phoneNumberId: number.id, assistantEnabled: false, memberId };
  const { status, body } = await asAdmin('POST', '/chats', { ...started, initialMessage: 'How are you?' });
  expect({ status, body }).toMatchObject({ status: 201 });
  expect(body.initialMessageError).toBeUndefined();
  return body.id;
}
async function signedIn(address: { email: string } | { phone: string }) {
  const browser = visitor();
  await browser.signIn(address);
  return browser;
}
async function signedInByToken(memberToken: string) {
  const browser = visitor();
  expect(await browser.request('POST', '/sessions', { body: { memberToken } })).toMatchObject({
    status: 201,
  });
  return browser;
}
const ownMember = (browser: ReturnType<typeof visitor>, id: number) =>
  browser.request('GET', workspace.path(`/members/${id}`));

describe.each(['form', 'server'] as const)('what a sign-up by a %s gave', (by) => {
  it('is still there after the member has answered an SMS', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const { body } = await signUp(by, { email, phone });
    const chatId = await textedChat(body.member.id);

    await text(phone, `Now is fine, ${phone}`);

    expect(await memberOf(body.member.id)).toMatchObject({ email, phone });
    expect(await chatOfText(`Now is fine, ${phone}`)).toEqual({ id: chatId, memberId: body.member.id });
    expect(await eventsOf(body.member.id)).toEqual([]);
  });

  it.each(['email', 'phone'] as const)('is still there after somebody has signed in by %s', async (used) => {
    const addresses = { email: uniqueEmail(), phone: uniquePhone() };
    const { body } = await signUp(by, addresses);

    const person = await signedIn({ [used]: addresses[used] } as { email: string });

    expect(await memberOf(body.member.id)).toMatchObject(addresses);
    expect(await ownMember(person, body.member.id)).toMatchObject({ status: 200, body: addresses });
    expect(await eventsOf(body.member.id)).toEqual([]);
  });

  it('is still there after the person has signed up again, before and after use', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const first = await signUp(by, { email, phone }, visit(`v-${phone}`));
    await textedChat(first.body.member.id);
    const same = {
      status: 201,
      body: { wasCreated: false, account: { email, phone }, member: { id: first.body.member.id, email } },
    };

    expect(await signUp(by, { email, phone }, visit(`v-${phone}`, 'a cold'))).toMatchObject(same);
    await text(phone, `Yes, ${phone}`);
    expect(await signUp(by, { email, phone }, visit(`v-${phone}`, 'a flu'))).toMatchObject(same);
    expect(await signUp(by, { phone }, visit(`v-${phone}`, 'no flu'))).toMatchObject(same);
    expect(await signUp(by, { email })).toMatchObject(same);
    const { body } = await asAdmin('GET', '/data-types');
    const type = body.items.find(({ slug }: { slug: string }) => slug === 'visit');
    const records = await asAdmin('GET', `/data-types/${type.id}/records`, undefined, {
      memberId: first.body.member.id,
    });
    expect(records.body.items).toMatchObject([{ fieldValues: { reason: 'no flu' } }]);
  });

  it('lets an SMS conversation go on that a sign-up by email with data comes into', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const first = await signUp(by, { email, phone });
    const id = first.body.member.id;
    const chatId = await textedChat(id);

    const second = await signUp(by, { email }, visit(`v-${email}`));

    expect(second).toMatchObject({
      status: 201,
      body: { wasCreated: false, account: { email, phone }, member: { id } },
    });
    expect(await memberOf(id)).toMatchObject({ email, phone });
    const said = `Still here, ${phone}`;
    await text(phone, said);
    expect(await chatOfText(said)).toEqual({ id: chatId, memberId: id });
    const sent = await asAdmin('POST', `/chats/${chatId}/send-assistant-message`, { message: 'Good.' });
    expect(sent).toMatchObject({ status: 201 });
    expect(await memberOf(id)).toMatchObject({ email, phone });
    expect(await eventsOf(id)).toEqual([]);
  });

  it('leaves the token of the first sign-up usable when a second one brings data', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const { body } = await signUp(by, { email, phone });
    await signUp(by, { email }, visit(`v-${email}`));

    const browser = await signedInByToken(body.token);

    expect(await ownMember(browser, body.member.id)).toMatchObject({ status: 200 });
  });
});

describe('a server whose key manages members', () => {
  it('finds the member by the address that was not used, and updates the record that it names', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const first = await signUp('server', { email, phone }, visit(`s-${email}`));
    await textedChat(first.body.member.id);
    await text(phone, `Thanks, ${phone}`);

    const second = await signUp('server', { email }, visit(`s-${email}`, 'two coughs'));

    expect(second).toMatchObject({
      status: 201,
      body: { wasCreated: false, account: { email, phone }, member: { id: first.body.member.id } },
    });
    expect(await memberOf(first.body.member.id)).not.toHaveProperty('addresses');
  });
});

const seesMember = async (browser: ReturnType<typeof visitor>, id: number) =>
  (await ownMember(browser, id)).status === 200;
const senderOf = async (from: string, body: string) => {
  await text(from, body);
  return (await chatOfText(body))?.memberId;
};

describe('a member whose other address was only given', () => {
  it('is not the sender of texts from it, which show that it is somebody else’s', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const { body } = await signUp('form', { email, phone });
    await signedIn({ email });
    expect(await statesOf(body.member.id)).toEqual([
      ['email', email, 'proved'],
      ['phone', phone, 'given'],
    ]);

    const sender = await senderOf(phone, `Who am I, ${phone}`);

    expect(sender).not.toBe(body.member.id);
    expect(await statesOf(body.member.id)).toEqual([
      ['email', email, 'proved'],
      ['phone', phone, 'disputed'],
    ]);
    expect(await memberOf(sender ?? 0)).toMatchObject({ phone });
    expect(await senderOf(phone, `Me again, ${phone}`)).toBe(sender);
  });

  it('is the sender of answers to what the workspace texted there, and the answer binds nobody', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const { body } = await signUp('form', { email, phone });
    const person = await signedIn({ email });
    const chatId = await textedChat(body.member.id);

    await text(phone, `Yes, ${phone}`);

    expect(await chatOfText(`Yes, ${phone}`)).toEqual({ id: chatId, memberId: body.member.id });
    const other = await signedIn({ phone });
    expect(await seesMember(other, body.member.id)).toBe(false);
    expect(await seesMember(person, body.member.id)).toBe(true);
    expect(await statesOf(body.member.id)).toContainEqual(['phone', phone, 'disputed']);
  });

  it('gets it proved by its account, whatever somebody else’s account has', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const { body } = await signUp('form', { email, phone });
    const person = await signedIn({ email });
    await signedIn({ phone });
    const asked = await person.request('POST', '/account/addresses', { body: { phone } });
    const code = await loginCodeOf(api, asked.body.uuid);
    const path = `/account/addresses/${asked.body.uuid}`;
    expect(await person.request('PUT', path, { body: { code } })).toMatchObject({ status: 200 });

    expect(await statesOf(body.member.id)).toEqual([
      ['email', email, 'proved'],
      ['phone', phone, 'proved'],
    ]);
    expect(await senderOf(phone, `Both mine, ${phone}`)).toBe(body.member.id);
  });

  it('is not the member of a call from it, unless the workspace called there', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const { body } = await signUp('form', { email, phone });
    await signedIn({ email });

    const callers = await workspace.within(async (tx) => [
      await memberOfCaller(tx, phone, new Date()),
      await memberOfCaller(tx, phone, new Date()),
    ]);

    expect(callers[0]?.id).not.toBe(body.member.id);
    expect(callers[1]?.id).toBe(callers[0]?.id);
    expect(callers[0]).toMatchObject({ email: null, phone: null });
    expect(await memberOf(body.member.id)).toMatchObject({ email, phone });
  });

  it('is another person’s no more when that one enters data under it', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const first = await signUp('form', { email, phone });
    const thief = await signedIn({ phone });
    expect((await signUp('form', { email })).body).toMatchObject({
      wasCreated: false,
      member: first.body.member,
    });

    const second = await signUp('form', { email }, visit(`o-${email}`, 'in confidence'));

    expect(second.body).toMatchObject({ wasCreated: true, account: { email } });
    expect(await seesMember(thief, second.body.member.id)).toBe(false);
    expect(await statesOf(first.body.member.id)).toEqual([
      ['phone', phone, 'proved'],
      ['email', email, 'disputed'],
    ]);
    const person = await signedIn({ email });
    expect(await seesMember(person, second.body.member.id)).toBe(true);
  });
});

describe('two forms of strangers that name each other’s addresses', () => {
  it.each([
    ['by code', 'by text'],
    ['by text', 'by code'],
    ['by code', 'by code'],
  ])('make nobody another: the phones are proved %s, then %s', async (one, other) => {
    const [mailOf1, mailOf2, phoneOf1, phoneOf2] = [
      uniqueEmail(),
      uniqueEmail(),
      uniquePhone(),
      uniquePhone(),
    ];
    const first = (await signUp('form', { email: mailOf1, phone: phoneOf2 })).body.member.id;
    const second = (await signUp('form', { email: mailOf2, phone: phoneOf1 })).body.member.id;
    const prove = (way: string, phone: string) =>
      way === 'by code' ? signedIn({ phone }) : senderOf(phone, `It is me, ${phone}`);

    await prove(one, phoneOf1);
    const person1 = await signedIn({ email: mailOf1 });
    await prove(other, phoneOf2);
    const person2 = await signedIn({ email: mailOf2 });

    expect(await seesMember(person1, first)).toBe(true);
    expect(await seesMember(person1, second)).toBe(false);
    expect(await seesMember(person2, first)).toBe(false);
    expect(await seesMember(person2, second)).toBe(false);
    expect(await senderOf(phoneOf2, `Not the first, ${phoneOf2}`)).not.toBe(first);
  });
});

describe('what a second form brings', () => {
  it('is told to no token of the first, nor in chats at addresses that it does not name', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const first = await signUp('form', { email, phone }, visit(`f-${email}`, 'first words'));
    const id = first.body.member.id;
    const watcher = await signedInByToken(first.body.token);
    const chatId = await textedChat(id);

    await signUp('form', { email, name: 'Robin Sample' }, visit(`s-${email}`, 'second words'));

    const { body: types } = await asAdmin('GET', '/data-types');
    const type = types.items.find(({ slug }: { slug: string }) => slug === 'visit');
    const records = workspace.path(`/data-types/${type.id}/records`);
    const listed = await watcher.request('GET', records);
    expect(JSON.stringify(listed.body)).toContain('first words');
    expect(JSON.stringify(listed.body)).not.toContain('second words');
    const { body: all } = await asAdmin('GET', `/data-types/${type.id}/records`, undefined, { memberId: id });
    const later = all.items.find(
      ({ fieldValues }: { fieldValues: { reason: string } }) => fieldValues.reason === 'second words',
    );
    expect(await watcher.request('GET', `${records}/${later.id}`)).toMatchObject({ status: 404 });
    expect(await ownMember(watcher, id)).toMatchObject({ status: 200, body: { id, name: null } });
    expect(await watcher.request('POST', workspace.path(`/members/${id}/data-export`))).not.toMatchObject({
      status: 202,
    });
    const isWithheld = (channel: 'phone-sms' | 'email' | 'web-chat') =>
      workspace.within((tx) => mayBeReadByAnother(tx, { channel, memberId: id }));
    expect([await isWithheld('phone-sms'), await isWithheld('web-chat'), await isWithheld('email')]).toEqual([
      true,
      true,
      false,
    ]);
    const chat = await workspace.within((tx) => findChat(tx, chatId));
    if (chat === undefined) throw new Error('there is no chat');
    expect(await workspace.within((tx) => readSituation(tx, chat, new Date()))).toMatchObject({
      isWithheld: true,
    });
  });
});

describe('the states of addresses', () => {
  it('are shown to who may read members, and what is pending with them', async () => {
    const [email, phone, other] = [uniqueEmail(), uniquePhone(), uniqueEmail()];
    const { body } = await signUp('form', { email });
    await signUp('form', { email, phone });
    await signUp('form', { phone: uniquePhone(), email });
    const id = body.member.id;

    expect((await memberOf(id)).addresses).toMatchObject([
      { channel: 'email', value: email, state: 'given', isPending: false, bouncedAt: null, optedOutAt: null },
      { channel: 'phone', state: 'given', isPending: true },
    ]);
    const person = await signedIn({ email });
    expect((await ownMember(person, id)).body).not.toHaveProperty('addresses');
    expect(await asAdmin('PUT', `/members/${id}`, { email: other, phone })).toMatchObject({ status: 200 });
    expect(await statesOf(id)).toEqual([]);
  });
});
