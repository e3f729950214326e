import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../../support/api/browser.js';
import { days, hours, minutes } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { type SkippingSystem, startSkippingSystem } from '../../support/system/skipping-system.js';
import { tried } from '../../support/temporal/tried.js';
import { uniqueEmail } from '../../support/workspace/factories.js';

let system: SkippingSystem;

beforeAll(async () => {
  system = await startSkippingSystem();
});
afterAll(() => system.stop());

async function addAccount(): Promise<string> {
  const email = uniqueEmail();
  await system.database.identity.accounts.create({ email });
  return email;
}

/** Requests a code and waits until it is sent. */
async function askedAndSent(browser: TestBrowser, email: string) {
  const before = (await system.mail.sentTo(email)).length;
  const body = await browser.askForCode({ email });
  await waitFor('the code has come', async () => (await system.mail.sentTo(email)).length > before);
  return body;
}

async function mailServerIsBusy(email: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await system.mail.plan({ to: email, reply: 451 });
}

const signIn = async (browser: TestBrowser, body: object): Promise<number> =>
  (await browser.request('POST', '/sessions', { body })).status;

/** The outcome of the run, once it has ended. */
const outcome = (uuid: string): Promise<string> =>
  waitFor(
    'the run has ended',
    async () => ((await system.run('sendLoginCode', uuid).result()) as { outcome: string }).outcome,
  );

describe('a login code', () => {
  it('is accepted within ten minutes', async () => {
    const browser = openBrowser(system.api);
    const code = await askedAndSent(browser, await addAccount());

    await system.skip(minutes(9));

    expect(await signIn(browser, code)).toBe(201);
  });

  it('is rejected after ten minutes, and a new one is accepted', async () => {
    const browser = openBrowser(system.api);
    const email = await addAccount();
    const code = await askedAndSent(browser, email);

    await system.skip(minutes(10));

    expect(await signIn(browser, code)).toBe(401);
    expect(await signIn(browser, await askedAndSent(browser, email))).toBe(201);
  });

  it('is sent once the mail server is available again, while it is valid', async () => {
    const email = await addAccount();
    await mailServerIsBusy(email, 5);
    const { loginCodeUuid } = await openBrowser(system.api).askForCode({ email });
    await tried(system.run('sendLoginCode', loginCodeUuid));

    await system.skip(minutes(5));

    expect(await outcome(loginCodeUuid)).toBe('sent');
    expect(await system.mail.sentTo(email)).toHaveLength(1);
  });

  it('is not sent if the mail server was unavailable for longer than it is valid', async () => {
    const email = await addAccount();
    await mailServerIsBusy(email, 100);
    const { loginCodeUuid } = await openBrowser(system.api).askForCode({ email });
    await tried(system.run('sendLoginCode', loginCodeUuid));

    await system.skip(minutes(11));

    expect(await outcome(loginCodeUuid)).toBe('out_of_date');
    expect(await system.mail.sentTo(email)).toEqual([]);
  });

  it('can be requested five times an hour, and again after the hour', async () => {
    const browser = openBrowser(system.api);
    const email = await addAccount();
    const ask = async () => (await browser.request('POST', '/login-codes', { body: { email } })).status;
    for (let time = 0; time < 5; time += 1) expect(await ask()).toBe(202);

    expect(await ask()).toBe(429);
    await system.skip(minutes(59));
    expect(await ask()).toBe(429);
    await system.skip(minutes(2));

    expect(await ask()).toBe(202);
  });
});

describe('a session from a login code', () => {
  async function signedIn(): Promise<TestBrowser> {
    const browser = openBrowser(system.api);
    await browser.signIn({ email: await addAccount() });
    return browser;
  }
  const isIn = async (browser: TestBrowser) => (await browser.request('GET', '/sessions')).status === 200;

  it('ends after two weeks without use', async () => {
    const browser = await signedIn();

    await system.skip(days(14) - hours(2));
    expect(await isIn(browser)).toBe(true);
    await system.skip(days(14) + hours(1));

    expect(await isIn(browser)).toBe(false);
  });

  it('ends after ninety days, however often it is used', async () => {
    const browser = await signedIn();
    const lastUse = async () =>
      Date.parse((await browser.request('GET', '/sessions')).body.items[0].lastUsedAt);

    for (let week = 1; week <= 12; week += 1) {
      await system.skip(days(7));
      expect(await isIn(browser)).toBe(true);
      // The request does not wait for it.
      await waitFor(
        'the use is recorded',
        async () => (await lastUse()) > system.clock.now().getTime() - hours(1),
      );
    }
    await system.skip(days(6));

    expect(await isIn(browser)).toBe(false);
  });
});
