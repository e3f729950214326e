import { describe, expect, it, vi } from 'vitest';
import { PipelinedConnection } from '../../../../db/pool/pipelined-connection.js';
import { startApi } from '../../../support/api/api.js';
import { type TestBrowser, visitorsOf, wrong } from '../../../support/api/browser.js';
import { useApi } from '../../../support/api/use-api.js';
import { hours, MovedClock, minutes } from '../../../support/lib/moved-clock.js';
import { uniqueEmail, uniquePhone } from '../../../support/workspace/factories.js';

const clock = new MovedClock(new Date('2031-05-01T12:00:00Z'));

// Each test has its own client address.
const { api, workspace } = useApi({ clock, trustedProxies: 1 });

const visitor = visitorsOf(api);

async function addAccount(values: { phone?: string; enabled?: boolean } = {}) {
  const email = uniqueEmail();
  const account = await workspace.database.identity.accounts.create({ email, ...values });
  return { ...account, email };
}

const refused = { status: 401, body: { code: 'login_refused' } };
const noCode = '00000000-0000-4000-8000-000000000000';
const limited = { status: 429, body: { code: 'rate_limited' } };
const tryToSignIn = async (address: { email: string }, browser = visitor()) =>
  browser.request('POST', '/sessions', { body: await browser.askForCode(address) });
const ask = (body: object, browser = visitor()) => browser.request('POST', '/login-codes', { body });
/** A browser with the code of a new account. */
async function asked() {
  const browser = visitor();
  const body = await browser.askForCode({ email: (await addAccount()).email });
  return { body, enter: (given: object = body) => browser.request('POST', '/sessions', { body: given }) };
}

describe('signing in with a code', () => {
  it('starts a session of the account and marks the address as proved', async () => {
    const { id, email } = await addAccount();
    const browser = visitor();

    const answer = await tryToSignIn({ email }, browser);

    expect(answer).toMatchObject({
      status: 201,
      body: { current: true, workspaceId: null, memberId: null, createdAt: '2031-05-01T12:00:00.000Z' },
    });
    expect((await browser.request('GET', '/account')).body).toMatchObject({
      id,
      loggedIn: true,
      email,
      emailVerifiedAt: '2031-05-01T12:00:00.000Z',
      phoneVerifiedAt: null,
    });
  });

  it('accepts a phone number', async () => {
    const phone = uniquePhone();
    await addAccount({ phone });
    const browser = visitor();

    await browser.signIn({ phone: phone.replace(/^\+1(\d{3})/, '+1 ($1) ') });

    expect((await browser.request('GET', '/account')).body).toMatchObject({
      phone,
      emailVerifiedAt: null,
      phoneVerifiedAt: clock.now().toISOString(),
    });
  });

  it('sets a cookie that is HttpOnly, host-only and secure', async () => {
    const { email } = await addAccount();

    const { headers, body } = await tryToSignIn({ email });

    const [session = '', device = ''] = headers.getSetCookie();
    expect(device).toMatch(
      /^__Host-wes_device=[\w-]+\.[\w-]+; Max-Age=31536000; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    );
    const [pair = '', ...attributes] = session.split('; ');
    expect(pair).toMatch(/^__Host-wes_session=[A-Za-z0-9_-]{43}$/);
    const maxAge = `Max-Age=${90 * 24 * 3_600}`;
    expect(attributes.sort()).toEqual(['HttpOnly', maxAge, 'Path=/', 'SameSite=Lax', 'Secure']);
    const [, token = ''] = pair.split('=');
    expect(JSON.stringify(body)).not.toContain(token);
  });

  it('stores neither token, code nor address in plain text', async () => {
    const email = 'typed-by-a-stranger@example.com';
    const known = await addAccount();
    const browser = visitor();
    const { code } = await browser.askForCode({ email });
    await browser.signIn({ email: known.email });

    const tables = ['login_codes', 'login_limits', 'sessions'].map((name) => `identity.${name}`);
    const rows = await Promise.all(
      [...tables, 'outbox'].map((table) =>
        workspace.database.inIdentity(async (tx) => (await tx.raw(`select t::text from ${table} t`)).rows),
      ),
    );

    expect(rows.map((found) => found.length > 0)).toEqual([true, true, true, true]);
    const text = JSON.stringify(rows);
    for (const secret of [browser.token ?? '', email, known.email, '192.0.2.', `"${code}"`, `,${code},`]) {
      expect(text).not.toContain(secret);
    }
  });

  it('ends the previous session of the browser and issues a new token', async () => {
    const [one, other] = [await addAccount(), await addAccount()];
    const browser = visitor();
    await browser.signIn({ email: one.email });
    const planted = browser.token;

    await browser.signIn({ email: other.email });

    expect(browser.token).not.toBe(planted);
    expect((await browser.request('GET', '/account')).body.id).toBe(other.id);
    const attacker = visitor();
    attacker.token = planted;
    expect((await attacker.request('GET', '/account')).body).toMatchObject({ loggedIn: false });
  });

  it.each([
    [{ loginCodeUuid: 'no-uuid', code: '123456' }],
    [{ loginCodeUuid: noCode, code: '12345' }],
    [{ loginCodeUuid: noCode, code: '1234567' }],
    [{ loginCodeUuid: noCode }],
    [{ code: '123456' }],
    [{ loginCodeUuid: noCode, code: '123456', memberToken: 'wmt_' }],
    [{}],
  ])('rejects the malformed request %j', async (body) => {
    const answer = await visitor().request('POST', '/sessions', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it.each([
    [{ email: 'nobody' }, '/email'],
    [{ phone: '5550100' }, '/phone'],
    [{}, ''],
    [{ email: 'a@example.com', phone: '+15550100100' }, ''],
  ])('rejects a code request with %j', async (body, pointer) => {
    expect(await ask(body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });
});

describe('the refusal of a login code', () => {
  it('is the same for wrong digits and for right ones after five wrong tries', async () => {
    const { body, enter } = await asked();
    const answers = [];
    for (let tries = 0; tries < 5; tries += 1) answers.push(await enter({ ...body, code: wrong(body.code) }));
    answers.push(await enter());

    for (const answer of answers) {
      expect(answer).toMatchObject(refused);
      expect(answer.headers.get('Set-Cookie')).toBeNull();
    }
    const details = answers.map(({ body: { requestId: _, ...problem } }) => JSON.stringify(problem));
    expect(new Set(details).size).toBe(1);
  });

  it('does not occur after four wrong tries', async () => {
    const { body, enter } = await asked();
    for (let tries = 0; tries < 4; tries += 1) await enter({ ...body, code: wrong(body.code) });
    expect(await enter()).toMatchObject({ status: 201 });
  });

  it('occurs for a second use', async () => {
    const { enter } = await asked();
    expect(await enter()).toMatchObject({ status: 201 });
    expect(await enter()).toMatchObject(refused);
  });

  it('occurs from the moment of expiry', async () => {
    const browser = visitor();
    const { email } = await addAccount();
    const early = await browser.askForCode({ email });
    clock.advance(minutes(10) - 1);
    expect(await browser.request('POST', '/sessions', { body: early })).toMatchObject({ status: 201 });
    const late = await browser.askForCode({ email });
    clock.advance(minutes(10));
    expect(await browser.request('POST', '/sessions', { body: late })).toMatchObject(refused);
  });

  it('occurs after a newer code was requested for the same address', async () => {
    const browser = visitor();
    const { email } = await addAccount();
    const first = await browser.askForCode({ email });
    const second = await browser.askForCode({ email: email.toUpperCase() });
    expect(await browser.request('POST', '/sessions', { body: first })).toMatchObject(refused);
    expect(await browser.request('POST', '/sessions', { body: second })).toMatchObject({ status: 201 });
  });

  it('occurs for an unknown code', async () => {
    const body = { loginCodeUuid: noCode, code: '123456' };
    expect(await visitor().request('POST', '/sessions', { body })).toMatchObject(refused);
  });

  it('occurs with the right digits if no account has the address', async () => {
    const email = uniqueEmail();
    expect(await tryToSignIn({ email })).toMatchObject(refused);
    expect(await workspace.database.identity.accounts.findByEmail(email)).toBeUndefined();
  });

  it('occurs if the account is disabled or has changed its address', async () => {
    const browser = visitor();
    const { accounts } = workspace.database.identity;
    for (const change of [{ enabled: false }, { email: uniqueEmail() }]) {
      const { id, email } = await addAccount();
      const body = await browser.askForCode({ email });
      await accounts.update(id, change);
      expect(await browser.request('POST', '/sessions', { body })).toMatchObject(refused);
    }
  });

  it('occurs with the digits of another code', async () => {
    const [{ body, enter }, other] = [await asked(), await asked()];
    const { code } = other.body;
    expect(await enter({ ...body, code })).toMatchObject(body.code === code ? { status: 201 } : refused);
  });
});

describe('the existence of an account with an address', () => {
  const tables = ['login_codes', 'login_limits', 'accounts', 'sessions'].map((name) => `identity.${name}`);
  const counts = () =>
    workspace.database.inIdentity(async (tx) => {
      const numbers: number[] = [];
      for (const table of [...tables, 'outbox'])
        numbers.push(Number((await tx(table).count({ n: '*' }))[0]?.n));
      return numbers;
    });

  /** All changes to the database except the identifiers of rows and people. */
  async function traces(email: string) {
    const before = await counts();
    const answer = await ask({ email });
    const after = await counts();
    const { 'x-request-id': _, date: __, ...headers } = Object.fromEntries(answer.headers);
    return {
      status: answer.status,
      shape: Object.keys(answer.body),
      expiresAt: answer.body.expiresAt,
      headers,
      written: after.map((number, index) => number - (before[index] ?? 0)),
    };
  }

  it('is not visible in the response or in the written rows', async () => {
    const disabled = await addAccount({ enabled: false });
    const known = await traces((await addAccount()).email);
    expect(await traces(uniqueEmail())).toEqual(known);
    expect(await traces(disabled.email)).toEqual(known);
    expect(await traces(workspace.member.row.email ?? '')).toEqual(known);
    expect(known).toMatchObject({ status: 202, shape: ['uuid', 'expiresAt'], written: [1, 3, 0, 0, 1] });
  });

  it('is not visible in the executed statements', async () => {
    const statements = async (email: string) => {
      const asking = vi.spyOn(PipelinedConnection.prototype, 'execute');
      try {
        await visitor().askForCode({ email });
        return asking.mock.calls.map(([{ text }]) => text);
      } finally {
        asking.mockRestore();
      }
    };
    const known = await statements((await addAccount()).email);

    expect(known.length).toBeGreaterThan(5);
    expect(await statements(uniqueEmail())).toEqual(known);
    expect(await statements(workspace.member.row.email ?? '')).toEqual(known);
  });

  it('is not visible in the rate limits', async () => {
    const story = async (email: string) => {
      const browser = visitor();
      const statuses = [];
      for (let times = 0; times < 6; times += 1) {
        const { status, body } = await ask({ email }, browser);
        statuses.push(status);
        const guess = { loginCodeUuid: body.uuid, code: '000000' };
        if (status === 202)
          statuses.push((await browser.request('POST', '/sessions', { body: guess })).status);
      }
      return statuses;
    };
    const known = await story((await addAccount()).email);
    expect(await story(uniqueEmail())).toEqual(known);
    expect(known.at(-1)).toBe(429);
  });
});

describe('the limit on codes and tries', () => {
  it('is five codes an hour for a requester with an address, and fifteen for all unknown requesters', async () => {
    const { email } = await addAccount();
    const first = visitor();
    for (let times = 0; times < 5; times += 1) await first.askForCode({ email });

    expect(await ask({ email }, first)).toMatchObject(limited);
    for (let times = 0; times < 10; times += 1) await visitor().askForCode({ email });
    const answer = await ask({ email });

    expect(answer).toMatchObject(limited);
    expect(answer.headers.get('Retry-After')).toBe('3600');
    clock.advance(minutes(59));
    expect((await ask({ email })).headers.get('Retry-After')).toBe('60');
    clock.advance(minutes(1));
    await first.askForCode({ email });
  });

  it('is thirty codes an hour from one client address', async () => {
    const browser = visitor();
    for (let times = 0; times < 30; times += 1) await browser.askForCode({ email: uniqueEmail() });
    const body = { email: uniqueEmail() };
    expect(await ask(body, browser)).toMatchObject({ status: 429 });
    expect(await ask(body)).toMatchObject({ status: 202 });
  });

  it.each([
    [1, 429],
    [0, 202],
  ])('is what the operator sets: %s codes an hour, 0 for no limit', async (loginCodesPerHour, status) => {
    const own = await startApi(workspace.database, { policy: { loginCodesPerHour }, trustedProxies: 1 });
    const browser = visitorsOf(own)();
    const body = { email: uniqueEmail() };
    const answers = [await ask(body, browser), await ask(body, browser)];
    expect(answers.map((answer) => answer.status)).toEqual([202, status]);
    await own.close();
  });

  /** Tries wrong codes for an address until the browser is rate-limited. @returns the number of checked tries */
  async function guess(browser: TestBrowser, email: string) {
    const statuses: number[] = [];
    while (!statuses.includes(429)) {
      const body = await browser.askForCode({ email });
      for (let tries = 0; tries < 5; tries += 1) {
        const wrongly = { ...body, code: wrong(body.code) };
        statuses.push((await browser.request('POST', '/sessions', { body: wrongly })).status);
      }
    }
    return statuses.filter((status) => status === 401).length;
  }

  it('blocks a guessing browser and no other one', async () => {
    const { email } = await addAccount();
    const stranger = visitor();

    expect(await guess(stranger, email)).toBe(10);

    const answer = await tryToSignIn({ email }, stranger);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(23 * 3_600);
    await visitor().signIn({ email });
  });

  it('is sixty tries a day for all unknown browsers, and does not affect a browser that has signed in before', async () => {
    const { email } = await addAccount();
    const known = visitor();
    await known.signIn({ email });
    clock.advance(hours(1));
    for (let strangers = 0; strangers < 6; strangers += 1) {
      expect(await guess(visitor(), email)).toBe(10);
      clock.advance(hours(1));
    }

    const late = visitor();
    expect(await tryToSignIn({ email }, late)).toMatchObject({ status: 429 });
    await known.signIn({ email });
    expect(await guess(known, email)).toBe(10);

    clock.advance(hours(24));
    await late.signIn({ email });
  });

  it('does not affect the codes of a browser that has signed in before', async () => {
    const { email } = await addAccount();
    const known = visitor();
    await known.signIn({ email });
    const own = await known.askForCode({ email });
    for (let times = 0; times < 14; times += 1) await visitor().askForCode({ email });
    expect(await ask({ email })).toMatchObject({ status: 429 });

    expect(await known.request('POST', '/sessions', { body: own })).toMatchObject({ status: 201 });
    await known.signIn({ email });
  });

  it('is not lifted by the device cookie of another address or by a forged one', async () => {
    const [{ email }, other] = [await addAccount(), await addAccount()];
    const thief = visitor();
    await thief.signIn({ email: other.email });
    const [body = '', signature = ''] = (thief.device ?? '').split('.');
    const device = JSON.parse(Buffer.from(body, 'base64url').toString());
    const changed = Buffer.from(JSON.stringify({ ...device, at: device.at + 1 })).toString('base64url');
    const forged = [`${body}.${signature.slice(1)}`, `${changed}.${signature}`, body, 'x'.repeat(2_000)];
    for (const cookie of [thief.device, ...forged, undefined]) {
      const browser = visitor();
      browser.device = cookie;
      expect(await guess(browser, email)).toBe(10);
      clock.advance(hours(1));
    }

    expect(await tryToSignIn({ email })).toMatchObject({ status: 429 });
  });

  it('is fifty tries an hour from one client address', async () => {
    const browser = visitor();
    const body = { loginCodeUuid: noCode, code: '123456' };
    const statuses = [];
    for (let tries = 0; tries < 51; tries += 1) {
      statuses.push((await browser.request('POST', '/sessions', { body })).status);
    }
    expect(statuses).toEqual([...Array(50).fill(401), 429]);
  });

  it('cannot be exceeded by concurrent tries', async () => {
    const { body, enter } = await asked();
    const guess = { ...body, code: wrong(body.code) };

    await Promise.all(Array.from({ length: 50 }, () => enter(guess)));

    const [code] = await workspace.database.inIdentity((tx) =>
      tx('identity.login_codes').where({ uuid: body.loginCodeUuid }).select('wrong_tries'),
    );
    expect(code).toEqual({ wrong_tries: 5 });
    expect(await visitor().request('POST', '/sessions', { body })).toMatchObject(refused);
  });
});

describe('fifty concurrent sign-in requests', () => {
  it('start one session with the same code', async () => {
    const { id, email } = await addAccount();
    const body = await visitor().askForCode({ email });

    const answers = await Promise.all(
      Array.from({ length: 50 }, () => visitor().request('POST', '/sessions', { body })),
    );

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 401]));
    const sessions = await workspace.database.inIdentity((tx) =>
      tx('identity.sessions').where({ account_id: id }),
    );
    expect(sessions).toHaveLength(1);
  });

  it('get fifteen codes for one address, each valid for its requester', async () => {
    const { email } = await addAccount();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask({ email })));

    const made = answers.filter(({ status }) => status === 202).map(({ body }) => body.uuid);
    expect(made).toHaveLength(15);
    const open = await workspace.database.inIdentity((tx) =>
      tx('identity.login_codes').whereIn('uuid', made).whereNull('superseded_at'),
    );
    expect(open).toHaveLength(15);
  });
});

describe('the client address behind a proxy', () => {
  it('is the one the proxy reports, not the one the client claims', async () => {
    const askFrom = (said: string) => {
      const headers = { 'X-Forwarded-For': `${said}, 198.51.100.7` };
      return api.request('POST', '/login-codes', { body: { email: uniqueEmail() }, headers });
    };
    for (let times = 0; times < 30; times += 1) await askFrom(`203.0.113.${times}`);
    expect(await askFrom('203.0.113.200')).toMatchObject({ status: 429 });
  });
});
