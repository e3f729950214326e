import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { liveOutreach } from '../../domain/calls/live-outreach.js';
import { reserveLoginNumber } from '../../domain/channels/phone-number-pool/fill-pool.js';
import { receiveSms } from '../../domain/conversations/chats/receive-sms.js';
import { systemClock } from '../../domain/lib/clock.js';
import { openBrowser } from '../support/api/browser.js';
import { loginCodeOf, testLoginSmsFrom } from '../support/api/login.js';
import { waitFor } from '../support/lib/wait-for.js';
import { startSystem, type TestSystem } from '../support/system/system.js';
import { addMemberRow, createWorkspace, uniqueEmail, uniquePhone } from '../support/workspace/factories.js';
import { readable, recordRun, summariesOf } from './histories.js';

let system: TestSystem;
/** How far the service’s clock is ahead of the real time. */
let aheadMs = 0;

beforeAll(async () => {
  system = await startSystem({ clock: { now: () => new Date(Date.now() + aheadMs) }, worker: false });
  await system.startWorker();
});
afterAll(() => system.stop());

async function addAccount(values: { phone?: string; enabled?: boolean } = {}) {
  const email = uniqueEmail();
  const account = await system.database.identity.accounts.create({ email, ...values });
  return { ...account, email };
}

async function ask(address: { email: string } | { phone: string }): Promise<string> {
  return (await openBrowser(system.api).askForCode(address)).loginCodeUuid;
}

/** The outcome of the run, which the relay may not have started yet. */
const outcome = (uuid: string) =>
  waitFor('the run has ended', async () => (await runOf(uuid).result()).outcome as string);
const runOf = (uuid: string) => system.run('sendLoginCode', uuid);
const row = (uuid: string) => system.database.identity.loginCodes.findByUuid(uuid);

describe('the sendLoginCode run', () => {
  it('sends a code by mail that signs in', async () => {
    const { email, id } = await addAccount();
    const browser = openBrowser(system.api);
    const asked = await browser.request('POST', '/login-codes', { body: { email } });
    expect(await outcome(asked.body.uuid)).toBe('sent');

    const [message, ...more] = await system.mail.sentTo(email);
    expect(more).toEqual([]);
    const [code = ''] = message?.subject.match(/^\d{6}/) ?? [];
    expect(message?.text).toContain(code);
    const body = { loginCodeUuid: asked.body.uuid, code };
    expect((await browser.request('POST', '/sessions', { body })).status).toBe(201);
    expect((await browser.request('GET', '/account')).body.id).toBe(id);
  });

  it('sends a code by SMS from the service’s number', async () => {
    const phone = uniquePhone();
    await addAccount({ phone });
    const uuid = await ask({ phone });
    expect(await outcome(uuid)).toBe('sent');
    expect(await system.carrier.sentTo(phone)).toMatchObject([
      { from: testLoginSmsFrom, body: expect.stringContaining(await loginCodeOf(system.api, uuid)) },
    ]);
    expect(await row(uuid)).toMatchObject({ sentAt: expect.any(Date), failureReason: null });
  });

  it('sends nothing if no account has the address, or it is disabled or has changed its address', async () => {
    const [disabled, moved] = [await addAccount({ enabled: false }), await addAccount()];
    await system.stopWorker();
    const stranger = uniqueEmail();
    const codes = [
      await ask({ email: stranger }),
      await ask({ email: disabled.email }),
      await ask({ email: moved.email }),
    ];
    await system.database.identity.accounts.update(moved.id, { email: uniqueEmail() });
    await system.startWorker();
    const outcomes = ['no_account', 'account_disabled', 'address_changed'];
    expect(await Promise.all(codes.map(outcome))).toEqual(outcomes);
    for (const email of [stranger, disabled.email, moved.email]) {
      expect(await system.mail.sentTo(email)).toEqual([]);
    }
  });

  it('sends a code to an address without an account that members of two workspaces have', async () => {
    const email = uniqueEmail();
    const [one, other] = [await createWorkspace(system.database), await createWorkspace(system.database)];
    await addMemberRow(one, { memberRoleId: one.roles.member.id, email });
    await addMemberRow(other, { memberRoleId: other.roles.member.id, email });
    const uuid = await ask({ email });
    expect(await outcome(uuid)).toBe('sent');
    expect(await system.mail.sentTo(email)).toMatchObject([
      { subject: expect.stringContaining(await loginCodeOf(system.api, uuid)) },
    ]);
  });

  it('sends nothing if the member with the address was deleted, changed or disabled meanwhile', async () => {
    const workspace = await createWorkspace(system.database);
    const { workspaceId } = workspace;
    const people = await Promise.all(
      [0, 1, 2].map(() => addMemberRow(workspace, { memberRoleId: workspace.roles.member.id })),
    );
    const [gone, moved, disabled] = people.map(({ id }) => id);
    await system.stopWorker();
    const codes = [];
    for (const { email } of people) codes.push(await ask({ email: email ?? '' }));
    await system.database.inWorkspace(workspaceId, async (tx) => {
      await tx('members').where({ id: gone }).update({ deleted_at: new Date() });
      await tx('members').where({ id: moved }).update({ email: uniqueEmail() });
    });
    const { accounts, memberships } = system.database.identity;
    const account = await accounts.create({ standsAlone: true, enabled: false });
    await memberships.add({ workspaceId, memberId: disabled ?? 0, accountId: account.id });
    await system.startWorker();

    const outcomes = ['address_changed', 'address_changed', 'account_disabled'];
    expect(await Promise.all(codes.map(outcome))).toEqual(outcomes);
    for (const { email } of people) expect(await system.mail.sentTo(email ?? '')).toEqual([]);
  });

  it('sends nothing once the code has expired or a newer one was requested', async () => {
    const [slow, hasty] = [await addAccount(), await addAccount()];
    await system.stopWorker();
    const expired = await ask({ email: slow.email });
    aheadMs += 10 * 60_000;
    const superseded = await ask({ email: hasty.email });
    const latest = await ask({ email: hasty.email });
    await system.startWorker();
    const outcomes = ['out_of_date', 'out_of_date', 'sent'];
    expect(await Promise.all([expired, superseded, latest].map(outcome))).toEqual(outcomes);
    expect(await system.mail.sentTo(slow.email)).toEqual([]);
    expect(await system.mail.sentTo(hasty.email)).toMatchObject([
      { subject: expect.stringContaining(await loginCodeOf(system.api, latest)) },
    ]);
  });

  it('retries after a temporary mail error with the same code, and sends it once', async () => {
    const { email } = await addAccount();
    await system.mail.plan({ to: email, reply: 451 });
    const uuid = await ask({ email });
    expect(await outcome(uuid)).toBe('sent');
    expect(await system.mail.sentTo(email)).toMatchObject([
      { subject: expect.stringContaining(await loginCodeOf(system.api, uuid)) },
    ]);
  });

  it('never retries if it is unknown whether the code was sent', async () => {
    const { email } = await addAccount();
    await system.mail.plan({ to: email, hangUp: true });
    const uuid = await ask({ email });
    expect(await outcome(uuid)).toBe('unknown_outcome');
    expect(await system.mail.sentTo(email)).toHaveLength(1);
    expect(await row(uuid)).toMatchObject({ failureReason: 'unknown_outcome', sentAt: null });
  });

  it('sends nothing if a crashed worker has claimed the code', async () => {
    const { email } = await addAccount();
    await system.stopWorker();
    const uuid = await ask({ email });
    const code = await row(uuid);
    await system.database.identity.loginCodes.update(code?.id ?? 0, { claimedAt: new Date() });
    await system.startWorker();
    expect(await outcome(uuid)).toBe('claimed_before');
    expect(await system.mail.sentTo(email)).toEqual([]);
  });

  it('sends nothing to a number that has sent STOP since the request, and stores the reason', async () => {
    await reserveLoginNumber({ db: system.database, clock: systemClock }, testLoginSmsFrom);
    const phone = uniquePhone();
    const { email } = await addAccount({ phone });
    await system.stopWorker();
    const [bySms, byMail] = [await ask({ phone }), await ask({ email })];
    const stop = { carrierMessageId: 'SM1', from: phone, to: testLoginSmsFrom, body: 'STOP' };
    await receiveSms({ db: system.database, clock: systemClock, outreach: liveOutreach }, stop);
    await system.startWorker();

    expect(await outcome(bySms)).toBe('opted_out');
    expect(await row(bySms)).toMatchObject({ failureReason: 'opted_out', sentAt: null });
    expect(await system.carrier.sentTo(phone)).toEqual([]);
    expect(await outcome(byMail)).toBe('sent');
  });

  it('stores the error code of a refusal', async () => {
    const phone = uniquePhone();
    const { email } = await addAccount({ phone });
    await system.mail.plan({ to: email, reply: 550 });
    await system.carrier.turn({ handset: phone, refuse: { code: 21610, rate: 1 } });
    const byMail = await ask({ email });
    const bySms = await ask({ phone });
    expect(await Promise.all([byMail, bySms].map(outcome))).toEqual(['failed', 'failed']);
    expect(await row(byMail)).toMatchObject({ failureReason: 'mail_550' });
    expect(await row(bySms)).toMatchObject({ failureReason: 'carrier_21610' });
  });
});

describe('the history of the sendLoginCode run', () => {
  it('describes the steps, without the code and the address', async () => {
    const phone = uniquePhone();
    const { email } = await addAccount({ phone });
    await system.mail.plan({ to: email, reply: 451 });
    for (const address of [{ email }, { phone }]) {
      const uuid = await ask(address);
      expect(await outcome(uuid)).toBe('sent');
      const { runId } = await runOf(uuid).describe();
      const history = await recordRun(runOf(uuid), runId, 'sendLoginCode');
      expect(summariesOf(history)).toEqual([
        expect.stringMatching(/^Login code \((email|phone)\)$/),
        'Send the code, if the address is known',
      ]);
      const code = await loginCodeOf(system.api, uuid);
      const secrets = [email, phone, phone.slice(2), `"${code}`, 'is your sign-in'];
      for (const secret of secrets) expect(readable(history)).not.toContain(secret);
    }
  });
});
