import { describe, expect, it, vi } from 'vitest';
import { PipelinedConnection } from '../../../../db/pool/pipelined-connection.js';
import { openBrowser } from '../../../support/api/browser.js';
import { useApi } from '../../../support/api/use-api.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { type TestWorkspace, uniqueEmail, uniquePhone } from '../../../support/workspace/factories.js';
import { signUpDesk } from './sign-up-desk.js';

const clock = new MovedClock(new Date('2031-05-01T12:00:00Z'));

const { api, workspace: here, otherWorkspace: there } = useApi({ clock });

/** A signed-in account with every attribute set, and a member in another workspace. */
async function addOldHand() {
  const [email, phone] = [uniqueEmail(), uniquePhone()];
  const told = { email, phone, name: 'Elsewhere Known', tosAccepted: true, locale: 'de-DE' };
  await signUpDesk(api, there)(told);
  const browser = openBrowser(api);
  await browser.signIn({ email });
  const { body: account } = await browser.request('GET', '/account');
  await here.database.identity.accounts.update(account.id, { phone });
  return { browser, email, phone, account };
}

describe('a sign-up by a person with an account elsewhere', () => {
  it('returns the same as for an unknown person, without data of the account', async () => {
    const { email, phone, account } = await addOldHand();
    const known = await signUpDesk(api, here)({ email });
    const unknown = await signUpDesk(api, here)({ email: uniqueEmail() });

    /** The shape of an answer without the values that identify the person. */
    const shape = ({ status, headers, body }: typeof known) => ({
      status,
      headers: [...headers.keys()].sort(),
      types: JSON.stringify(body, (_, value) =>
        typeof value === 'object' ? value : typeof value === 'string' ? value.length : typeof value,
      ),
    });
    expect(shape(known)).toEqual(shape(unknown));
    expect(known.body).toMatchObject({ account: { email, phone: null, name: null }, wasCreated: true });
    const told = JSON.stringify(known.body);
    for (const secret of [account.uuid, account.name, phone, 'de-DE']) expect(told).not.toContain(secret);
  });

  it('executes the same statements as for an unknown person', async () => {
    const { email } = await addOldHand();
    const asked = async (address: string) => {
      const asking = vi.spyOn(PipelinedConnection.prototype, 'execute');
      try {
        await signUpDesk(api, here)({ email: address });
        return asking.mock.calls.map(([{ text }]) => text);
      } finally {
        asking.mockRestore();
      }
    };
    const known = await asked(email);

    expect(known.length).toBeGreaterThan(10);
    expect(known).toEqual(await asked(uniqueEmail()));
  });

  it('binds the account only once the address is proved, and shows the workspace none of its data', async () => {
    const { email, phone, account, browser } = await addOldHand();
    const { body } = await signUpDesk(api, here)({ email, name: 'Known Here' });
    const own = here.path(`/members/${body.member.id}`);
    expect((await browser.request('GET', own)).status).toBe(404);

    await browser.signIn({ email });

    expect((await browser.request('GET', own)).body).toMatchObject({ name: 'Known Here', phone: null });
    const again = await signUpDesk(
      api,
      here,
    )({ email, name: 'Renamed Here', locale: 'fr', tosAccepted: false });
    expect(again.body).toMatchObject({
      wasCreated: false,
      account: { uuid: body.account.uuid, email, phone: null, name: 'Renamed Here' },
      member: { id: body.member.id },
    });
    expect((await browser.request('GET', '/account')).body).toMatchObject({
      id: account.id,
      name: 'Elsewhere Known',
      phone,
      locale: 'de-DE',
      tosAccepted: false,
      signupWorkspaceId: there.workspaceId,
    });
  });

  it('does not let a third party take over the account with its address', async () => {
    const { email, account } = await addOldHand();
    const { body } = await signUpDesk(api, here)({ email, phone: uniquePhone() });
    const thief = openBrowser(api);
    await thief.request('POST', '/sessions', { body: { memberToken: body.token } });

    expect((await thief.request('GET', '/account')).body).toMatchObject({ loggedIn: false });
    expect((await thief.request('GET', '/workspaces')).status).toBe(403);
    const elsewhere = await thief.request('GET', there.path(`/members/${there.member.memberId}`));
    expect(elsewhere.status).toBe(404);
    expect(JSON.stringify(body)).not.toContain(account.uuid);
  });
});

describe('sign-ups of one person in two workspaces', () => {
  it('create a member in each, without shared data', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const one = await signUpDesk(api, here)({ email, phone, name: 'Here', externalId: 'shared' });
    const other = await signUpDesk(api, there)({ email, name: 'There', externalId: 'shared' });

    expect([one.body.wasCreated, other.body.wasCreated]).toEqual([true, true]);
    expect(other.body.account).toEqual({ uuid: expect.any(String), email, phone: null, name: 'There' });
    expect(other.body.account.uuid).not.toBe(one.body.account.uuid);
    expect(other.body.member.id).not.toBe(one.body.member.id);
  });
});

describe('the account of a signed-up member', () => {
  it('has no address before one is proved, and shows its origin', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const told = { email, phone, name: 'Robin', locale: 'pt-br', tosAccepted: true };
    await signUpDesk(api, here)(told);
    const { accounts } = here.database.identity;
    expect([await accounts.findByEmail(email), await accounts.findByPhone(phone)]).toEqual([
      undefined,
      undefined,
    ]);

    const browser = openBrowser(api);
    await browser.signIn({ phone });

    expect((await browser.request('GET', '/account')).body).toMatchObject({
      loggedIn: true,
      email: null,
      phone,
      emailVerifiedAt: null,
      phoneVerifiedAt: clock.now().toISOString(),
      name: 'Robin',
      locale: 'pt-BR',
      signupWorkspaceId: here.workspaceId,
      tosAccepted: false,
      enabled: true,
      createdAt: clock.now().toISOString(),
    });
  });

  it('follows the workspace’s data as long as no address is proved', async () => {
    const email = uniqueEmail();
    const desk = signUpDesk(api, here);
    await desk({ email, name: 'Before' });
    await desk({ email, name: 'After', locale: 'fr' });
    const browser = openBrowser(api);
    await browser.signIn({ email });
    await desk({ email, name: 'Later', locale: 'es' });

    expect((await browser.request('GET', '/account')).body).toMatchObject({ name: 'After', locale: 'fr' });
  });

  it('has a different uuid in each workspace, which stays after the proof', async () => {
    const email = uniqueEmail();
    const [one, other] = [await signUpDesk(api, here)({ email }), await signUpDesk(api, there)({ email })];
    const browser = openBrowser(api);
    await browser.signIn({ email });
    const { body: account } = await browser.request('GET', '/account');

    const again = [await signUpDesk(api, here)({ email }), await signUpDesk(api, there)({ email })];

    const told = again.map(({ body }) => body.account.uuid);
    expect(told).toEqual([one.body.account.uuid, other.body.account.uuid]);
    expect(new Set([...told, account.uuid]).size).toBe(3);
  });

  it('records the acceptance of the terms per workspace', async () => {
    const email = uniqueEmail();
    const accepted = async (workspace: TestWorkspace, tosAccepted?: boolean | null) => {
      const { body } = await signUpDesk(api, workspace)({ email, tosAccepted });
      const { memberships } = here.database.identity;
      return (await memberships.findByMember(workspace.workspaceId, body.member.id))?.tosAccepted;
    };
    expect(await accepted(here)).toBe(false);
    expect(await accepted(here, true)).toBe(true);
    expect(await accepted(here, false)).toBe(true);
    expect(await accepted(there, null)).toBe(false);
    const browser = openBrowser(api);
    await browser.signIn({ email });

    expect(await accepted(there)).toBe(false);
    expect((await browser.request('GET', '/account')).body).toMatchObject({
      tosAccepted: false,
      locale: 'en-US',
    });
  });
});
