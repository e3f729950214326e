import { beforeAll, describe, expect, it } from 'vitest';
import { apiPrefix } from '../../../api/http/app.js';
import { AddressPolicy } from '../../../providers/webhook/address-policy.js';
import { openBrowser, signInAs, signInSuperuser, type TestBrowser } from '../../support/api/browser.js';
import { useApi } from '../../support/api/use-api.js';
import { whenWaitedFor } from '../../support/db/locks.js';
import { addApiKey, addMember } from '../../support/workspace/factories.js';

const webhookAddresses = new AddressPolicy({
  requireHttps: false,
  allowedNetworks: [],
  resolve: async (name) => [{ family: 4, address: name === 'inside.example' ? '10.0.0.7' : '93.184.216.34' }],
});
const { api, workspace } = useApi({ webhookAddresses });

let superuser: TestBrowser;
beforeAll(async () => {
  superuser = (await signInSuperuser(workspace.database, openBrowser(api))).browser;
});

const account = async (apiKey = workspace.member.apiKey) =>
  (await api.request('GET', '/account', { apiKey })).body;
const showing = (avatarUrl: unknown, apiKey = workspace.member.apiKey) =>
  api.request('POST', '/account', { apiKey, body: { avatarUrl } });
const sharing = () => `${api.baseUrl}${apiPrefix}${workspace.path('/sharing/files/3')}`;

describe('the picture of an account', () => {
  it('is at an address on the public internet, until it is taken away', async () => {
    const answer = await showing('https://Pictures.example/me.png?size=2');
    expect(answer).toMatchObject({
      status: 200,
      body: { avatarUrl: 'https://pictures.example/me.png?size=2' },
    });
    expect(await account()).toEqual(answer.body);
    expect(await showing(null)).toMatchObject({ status: 200, body: { avatarUrl: null } });
  });

  it('is a public file of the service, also where that is not reached by https', async () => {
    const avatarUrl = `${sharing()}/contents/my%20face.png`;
    expect(await showing(avatarUrl)).toMatchObject({ status: 200, body: { avatarUrl } });
  });

  it.each([
    ['http://pictures.example/me.png', 'https_required'],
    ['javascript:alert(1)', 'https_required'],
    ['data:image/png;base64,AA==', 'https_required'],
    ['/me.png', 'https_required'],
    ['https://name:word@pictures.example/me.png', 'invalid_url'],
    ['https://pictures.example\\@inside.example/', 'invalid_url'],
    [`https://pictures.example/${'ä'.repeat(1_000)}`, 'invalid_url'],
    ['https://inside.example/me.png', 'address_refused'],
    ['https://127.0.0.1/me.png', 'address_refused'],
    ['https://169.254.169.254/latest/meta-data', 'address_refused'],
    ['https://localhost/me.png', 'address_refused'],
    ['', 'validation_failed'],
    [`https://pictures.example/${'a'.repeat(2_048)}`, 'validation_failed'],
    [7, 'validation_failed'],
  ])('is not at %j', async (avatarUrl, code) => {
    const { avatarUrl: before } = await account();
    const answer = await showing(avatarUrl);
    expect(answer).toMatchObject({ status: 400, body: { code, errors: [{ pointer: '/avatarUrl' }] } });
    expect((await account()).avatarUrl).toBe(before);
  });

  it.each([
    '/contents/me.png?token=wsh_secret',
    '/contents/me.png#part',
    '/contents/../../../../account',
    '',
  ])('is no address of the service that ends with %j', async (ending) => {
    expect(await showing(sharing() + ending)).toMatchObject({
      status: 400,
      body: { code: 'https_required' },
    });
  });
});

describe('the customer of the payment processor', () => {
  const set = (browser: TestBrowser, uuid: string, paymentCustomerId: unknown) =>
    browser.request('PUT', `/accounts/${uuid}/payment-customer`, { body: { paymentCustomerId } });

  it('is said by a superuser, and seen by the account', async () => {
    const { accountUuid, apiKey } = await addMember(workspace);
    const answer = await set(superuser, accountUuid, 'cus_1');
    expect(answer).toMatchObject({ status: 200, body: { uuid: accountUuid, paymentCustomerId: 'cus_1' } });
    expect(await account(apiKey)).toMatchObject({ paymentCustomerId: 'cus_1' });
    expect(await set(superuser, accountUuid, null)).toMatchObject({ body: { paymentCustomerId: null } });
    expect(await account(apiKey)).toMatchObject({ paymentCustomerId: null });
  });

  it('is not said by the account, an administrator or an API key of a superuser', async () => {
    const { accountId, accountUuid, apiKey } = await addMember(workspace);
    const own = await api.request('POST', '/account', { apiKey, body: { paymentCustomerId: 'cus_2' } });
    expect(own).toMatchObject({ status: 400, body: { errors: [{ pointer: '/paymentCustomerId' }] } });
    const denied = { status: 403, body: { code: 'superuser_required' } };
    const person = await signInAs(workspace.database, accountId, openBrowser(api));
    expect(await set(person, accountUuid, 'cus_2')).toMatchObject(denied);
    const admin = await signInAs(workspace.database, workspace.admin.accountId, openBrowser(api));
    expect(await set(admin, accountUuid, 'cus_2')).toMatchObject(denied);
    const { id } = (await superuser.request('GET', '/account')).body;
    const key = await addApiKey(workspace.database, id);
    const path = `/accounts/${accountUuid}/payment-customer`;
    const body = { paymentCustomerId: 'cus_2' };
    expect(await api.request('PUT', path, { apiKey: key, body })).toMatchObject(denied);
    expect(await account(apiKey)).toMatchObject({ paymentCustomerId: null });
  });

  it('is one account only, and has a form', async () => {
    const [one, other] = [await addMember(workspace), await addMember(workspace)];
    expect(await set(superuser, one.accountUuid, 'cus_3')).toMatchObject({ status: 200 });
    expect(await set(superuser, one.accountUuid, 'cus_3')).toMatchObject({ status: 200 });
    const taken = { status: 400, body: { code: 'duplicate', errors: [{ pointer: '/paymentCustomerId' }] } };
    expect(await set(superuser, other.accountUuid, 'cus_3')).toMatchObject(taken);
    for (const wrong of ['', 'cus 4', 'cüs', 'c'.repeat(256), 4]) {
      expect((await set(superuser, other.accountUuid, wrong)).status).toBe(400);
    }
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect((await set(superuser, nobody, 'cus_5')).status).toBe(404);
  });
});

describe('the first touch of an account', () => {
  const record = (apiKey: string, body: object) =>
    api.request('POST', '/account/acquisition', { apiKey, body });
  const kept = (accountId: number) =>
    workspace.database.inIdentity(async (tx) => {
      const found = await tx('identity.account_acquisitions').where({ account_id: accountId });
      return found.map(({ touch }) => touch);
    });

  it('is recorded once, from what is allowed of what is sent', async () => {
    const { accountId, apiKey } = await addMember(workspace);
    const first = {
      utmSource: 'newsletter',
      gclid: null,
      password: 'word',
      referrer: 'https://a.example/?q=1',
    };
    expect(await record(apiKey, first)).toMatchObject({ status: 200, body: { recorded: true } });
    expect(await record(apiKey, { utmSource: 'later' })).toMatchObject({
      status: 200,
      body: { recorded: false },
    });
    expect(await kept(accountId)).toEqual([{ utmSource: 'newsletter', referrer: 'https://a.example/' }]);
  });

  it.each([
    {},
    { landingPage: 'https://clinic.example/' },
    { utmSource: '  ' },
    { utmSource: null },
    { unknown: 'x' },
    { referrer: 'no page' },
  ])('is not recorded from %j, and still can be', async (nothing) => {
    const { accountId, apiKey } = await addMember(workspace);
    expect(await record(apiKey, nothing)).toMatchObject({ status: 200, body: { recorded: false } });
    expect(await kept(accountId)).toEqual([]);
    expect(await record(apiKey, { fbclid: 'f' })).toMatchObject({ body: { recorded: true } });
  });

  it('is recorded once for two that come at once, also if the first of them fails', async () => {
    const { db, one, other } = {
      db: workspace.database,
      one: await addMember(workspace),
      other: await addMember(workspace),
    };
    for (const { member, fails } of [
      { member: one, fails: false },
      { member: other, fails: true },
    ]) {
      const touch = { utmSource: 'held' };
      const { accountId, apiKey } = member;
      const held = db.inIdentity(async (tx) => {
        await db.identity.acquisitions.insertOnce({ accountId, touch, recordedAt: new Date() }, tx);
        const second = record(apiKey, { utmSource: 'second' });
        await whenWaitedFor(tx);
        if (fails) throw new Error('fails');
        return { second };
      });
      if (!fails) expect(await (await held).second).toMatchObject({ body: { recorded: false } });
      else await expect(held).rejects.toThrow('fails');
      await expect.poll(() => kept(accountId)).toEqual([{ utmSource: fails ? 'second' : 'held' }]);
    }
  });

  it('has values that are texts, and needs a credential with account:write', async () => {
    const { accountId, apiKey } = await addMember(workspace);
    expect(await record(apiKey, { utmSource: 7 })).toMatchObject({ status: 400 });
    const reader = await addApiKey(workspace.database, accountId, { scopes: ['account:read'] });
    const short = { status: 403, body: { code: 'insufficient_scope' } };
    expect(await record(reader, { utmSource: 'x' })).toMatchObject(short);
    const nobody = await api.request('POST', '/account/acquisition', { body: { utmSource: 'x' } });
    expect(nobody.status).toBe(401);
  });
});
