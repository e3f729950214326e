import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PhoneNumberRow } from '../../../../db/channels/phone-numbers.js';
import type { ApiResponse } from '../../../support/api/api.js';
import { visitorsOf } from '../../../support/api/browser.js';
import { loginCodeOf } from '../../../support/api/login.js';
import { useApi } from '../../../support/api/use-api.js';
import { addPhoneNumber } from '../../../support/workspace/definitions.js';
import {
  addMember,
  addMemberRow,
  type TestMember,
  uniqueEmail,
  uniquePhone,
} from '../../../support/workspace/factories.js';
import { useSignedApi } from '../../channels/carrier-messages/signed-api.js';
import { signUpDesk } from './sign-up-desk.js';

const { api, workspace, asAdmin } = useApi({ trustedProxies: 1 });
let number: PhoneNumberRow;
let greeter: TestMember;
const carrier = useSignedApi(() => workspace.database);

beforeAll(async () => {
  number = await addPhoneNumber(workspace);
  greeter = await addMember(workspace, { permissions: ['account:create'] });
  const type = { name: 'Health', slug: 'health', isCollection: false };
  const fields = [{ slug: 'pregnant', name: 'Pregnant', fieldType: 'text' }];
  const made = await asAdmin('POST', '/data-types', { ...type, fields });
  expect(made.status).toBe(201);
});

/** A public form, whose key may only sign people up. */
const form = (member: object, data?: object) => signUpDesk(api, workspace, greeter.apiKey)(member, data);
const secret = 'yes, since March';
const withSecret = { health: { values: { pregnant: secret } } };
const memberOf = async (id: number) => (await asAdmin('GET', `/members/${id}`)).body;

const visitor = visitorsOf(api);
async function signedIn(address: { email: string } | { phone: string }) {
  const browser = visitor();
  await browser.signIn(address);
  return browser;
}
async function signedInByToken(memberToken: string) {
  const browser = visitor();
  const answer = await browser.request('POST', '/sessions', { body: { memberToken } });
  expect(answer).toMatchObject({ status: 201 });
  return browser;
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
/** The members whose chats contain a message. */
async function sendersOf(body: string): Promise<number[]> {
  const rows: { member_id: number }[] = await workspace.within((tx) =>
    tx('messages as m')
      .join('chats as c', 'c.id', 'm.chat_id')
      .where('m.content', JSON.stringify(body))
      .select('c.member_id'),
  );
  return rows.map((row) => row.member_id);
}

/** Everything a browser’s session can read of the workspace’s members, records and chats. */
async function seenBy(browser: ReturnType<typeof visitor>): Promise<string> {
  const { body: types } = await asAdmin('GET', '/data-types');
  const paths = [
    '/members',
    '/chats',
    ...types.items.map(({ id }: { id: number }) => `/data-types/${id}/records`),
  ];
  const answers: ApiResponse<unknown>[] = [];
  for (const path of paths) answers.push(await browser.request('GET', workspace.path(path)));
  return JSON.stringify(answers.map(({ status, body }) => ({ status, body })));
}

describe('a member known by the phone it writes from', () => {
  it('is not taken over by a form that gives its phone with another email', async () => {
    const [phone, thiefs] = [uniquePhone(), uniqueEmail()];
    await text(phone, `I am unwell, ${phone}`);
    const [victim] = await sendersOf(`I am unwell, ${phone}`);

    const answer = await form({ phone, email: thiefs, name: 'Not the name' });

    expect(answer).toMatchObject({
      status: 201,
      body: { wasCreated: false, account: { email: null, phone }, member: { id: victim, email: null } },
    });
    const thief = await signedIn({ email: thiefs });
    expect(await seenBy(thief)).not.toContain('unwell');
    expect(await thief.request('GET', workspace.path(`/members/${victim}`))).toMatchObject({ status: 404 });
    const person = await signedIn({ phone });
    expect(await person.request('GET', workspace.path(`/members/${victim}`))).toMatchObject({ status: 200 });
    expect(await seenBy(person)).toContain(`"memberId":${victim}`);
  });

  it('gets the other email once both addresses are proved by the same person', async () => {
    const [phone, email] = [uniquePhone(), uniqueEmail()];
    await text(phone, `Hello from ${phone}`);
    const { body } = await form({ phone, email });
    const person = await signedIn({ phone });
    const asked = await person.request('POST', '/account/addresses', { body: { email } });
    const code = await loginCodeOf(api, asked.body.uuid);
    const path = `/account/addresses/${asked.body.uuid}`;
    expect(await person.request('PUT', path, { body: { code } })).toMatchObject({ status: 200 });

    expect(await memberOf(body.member.id)).toMatchObject({ email, phone });
    expect((await form({ email })).body).toMatchObject({ wasCreated: false, member: { id: body.member.id } });
  });
});

describe('a member with a proved email', () => {
  it('is not the sender of messages from a phone that a later form gives', async () => {
    const [email, thiefs] = [uniqueEmail(), uniquePhone()];
    const { body } = await form({ email }, withSecret);
    const person = await signedIn({ email });

    expect((await form({ email, phone: thiefs })).body).toMatchObject({ wasCreated: false });
    await text(thiefs, `Speaking as the other, ${thiefs}`);

    const senders = await sendersOf(`Speaking as the other, ${thiefs}`);
    expect(senders).toHaveLength(1);
    expect(senders).not.toContain(body.member.id);
    expect(await seenBy(person)).not.toContain('Speaking as');
    expect(await memberOf(body.member.id)).toMatchObject({ email, phone: null });
  });

  it('is not the sender of messages from an unproved phone of its own first form', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const { body } = await form({ email, phone }, withSecret);
    expect(await memberOf(body.member.id)).toMatchObject({ email, phone });
    await signedIn({ email });

    await text(phone, `Whose number is it, ${phone}`);

    expect(await memberOf(body.member.id)).toMatchObject({ email, phone: null });
    expect(await sendersOf(`Whose number is it, ${phone}`)).not.toContain(body.member.id);
  });

  it('is the sender of messages from a phone that an authorised caller has set', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const memberRoleId = workspace.roles.member.id;
    const row = await addMemberRow(workspace, { memberRoleId, email, phone: null });
    await signedIn({ email });
    await form({ email, phone });
    expect(await asAdmin('PUT', `/members/${row.id}`, { phone })).toMatchObject({ status: 200 });

    await text(phone, `Vouched for, ${phone}`);

    expect(await sendersOf(`Vouched for, ${phone}`)).toEqual([row.id]);
  });
});

describe('a member created by a form with two addresses', () => {
  it.each([
    ['before the owner of the email signs up', true],
    ['after the owner of the email signed up', false],
  ])('is not shared between two people when the phone is proved %s', async (_, isBefore) => {
    const [email, thiefs] = [uniqueEmail(), uniquePhone()];
    const hijack = await form({ email, phone: thiefs });
    const early = isBefore ? await signedIn({ phone: thiefs }) : undefined;

    const honest = await form({ email }, withSecret);
    expect(honest.status).toBe(201);
    const thief = early ?? (await signedIn({ phone: thiefs }));
    const person = await signedIn({ email });

    expect(await seenBy(thief)).not.toContain(secret);
    expect(await seenBy(person)).toContain(secret);
    const own = honest.body.member.id;
    expect(await thief.request('GET', workspace.path(`/members/${own}`))).not.toMatchObject({ status: 200 });
    expect(await person.request('GET', workspace.path(`/members/${own}`))).toMatchObject({ status: 200 });
    expect(honest.body.wasCreated).toBe(isBefore);
    expect(own === hijack.body.member.id).toBe(!isBefore);
    await text(thiefs, `Mine now, ${thiefs}`);
    expect(await sendersOf(`Mine now, ${thiefs}`)).not.toContain(own);
  });

  it('is bound to the phone after a message from it, and not shared with the owner of the email', async () => {
    const [thiefs, phone] = [uniqueEmail(), uniquePhone()];
    const { body } = await form({ email: thiefs, phone });
    const watcher = await signedInByToken(body.token);

    await text(phone, `My diagnosis, ${phone}`);

    const thief = await signedIn({ email: thiefs });
    for (const browser of [thief, watcher]) expect(await seenBy(browser)).not.toContain('My diagnosis');
    expect(await sendersOf(`My diagnosis, ${phone}`)).toEqual([body.member.id]);
    const person = await signedIn({ phone });
    const answer = await person.request('GET', workspace.path(`/members/${body.member.id}`));
    expect(answer).toMatchObject({ status: 200 });
  });

  it('hides data of later forms from a session by its first token', async () => {
    const email = uniqueEmail();
    const { body } = await form({ email, phone: uniquePhone() });
    const watcher = await signedInByToken(body.token);
    await form({ email }, withSecret);
    expect(await seenBy(watcher)).not.toContain(secret);
  });

  it('keeps both addresses if the caller identifies it by external id', async () => {
    const [email, phone, externalId] = [uniqueEmail(), uniquePhone(), `crm-${randomUUID()}`];
    const { body } = await form({ email, phone, externalId });
    const browser = await signedInByToken(body.token);
    await form({ externalId }, withSecret);
    expect(await memberOf(body.member.id)).toMatchObject({ email, phone });
    expect(await seenBy(browser)).toContain(secret);
  });

  it('keeps both addresses if one person has proved both', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const proved = { email, phone, emailVerifiedAt: new Date(), phoneVerifiedAt: new Date() };
    await workspace.database.identity.accounts.create(proved);
    const { body } = await form({ email, phone });

    await signedIn({ email });

    expect(await memberOf(body.member.id)).toMatchObject({ email, phone });
    await text(phone, `Both are mine, ${phone}`);
    expect(await sendersOf(`Both are mine, ${phone}`)).toEqual([body.member.id]);
  });

  it('has one owner if both addresses are proved concurrently', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const { body } = await form({ email, phone });
    const [one, other] = [visitor(), visitor()];
    const codes = [await one.askForCode({ email }), await other.askForCode({ phone })];

    const answers = await Promise.all([
      one.request('POST', '/sessions', { body: codes[0] }),
      other.request('POST', '/sessions', { body: codes[1] }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const own = workspace.path(`/members/${body.member.id}`);
    const seen = [(await one.request('GET', own)).status, (await other.request('GET', own)).status];
    expect(seen.sort()).toEqual([200, 404]);
    const member = await memberOf(body.member.id);
    expect([member.email, member.phone].filter((address) => address !== null)).toHaveLength(1);
  });
});
