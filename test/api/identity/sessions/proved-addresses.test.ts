import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { MemberRow, MemberValues } from '../../../../db/people/members.js';
import { hashMemberToken } from '../../../../domain/identity/member-tokens/member-token.js';
import { createSessionToken } from '../../../../domain/identity/sessions/session-token.js';
import { visitorsOf } from '../../../support/api/browser.js';
import { useApi } from '../../../support/api/use-api.js';
import { whenWaitedFor } from '../../../support/db/locks.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import { waitFor } from '../../../support/lib/wait-for.js';
import {
  addMemberRow,
  addRole,
  createWorkspace,
  type TestWorkspace,
  uniqueEmail,
  uniquePhone,
} from '../../../support/workspace/factories.js';

const clock = new MovedClock(new Date('2031-05-01T12:00:00Z'));

const {
  api,
  database,
  workspace: here,
  otherWorkspace: there,
  asAdmin,
} = useApi({ clock, trustedProxies: 1 });

const visitor = visitorsOf(api);

const addPerson = (workspace: TestWorkspace, values: Partial<MemberValues> = {}) =>
  addMemberRow(workspace, { memberRoleId: workspace.roles.member.id, ...values });

const bind = ({ workspaceId }: TestWorkspace, { id: memberId }: MemberRow, accountId: number) =>
  here.database.identity.memberships.add({ workspaceId, memberId, accountId });

/** Puts a new account behind a member, as a sign-up does. */
async function signUp(workspace: TestWorkspace, member: MemberRow, values: { enabled?: boolean } = {}) {
  const account = await here.database.identity.accounts.create({
    name: member.name,
    standsAlone: true,
    signupWorkspaceId: workspace.workspaceId,
    tosAccepted: true,
    ...values,
  });
  await bind(workspace, member, account.id);
  return account;
}

const accountBehind = async (workspace: TestWorkspace, { id }: Pick<MemberRow, 'id'>) =>
  (await here.database.identity.memberships.findByMember(workspace.workspaceId, id))?.accountId;
const findAccount = (id: number) => here.database.identity.accounts.findById(id);
const refused = { status: 401, body: { code: 'login_refused' } };

type Address = { email: string } | { phone: string };
async function tryToSignIn(address: Address) {
  const browser = visitor();
  return browser.request('POST', '/sessions', { body: await browser.askForCode(address) });
}
async function signedIn(address: Address) {
  const browser = visitor();
  await browser.signIn(address);
  return browser;
}
const read = (browser: ReturnType<typeof visitor>, workspace: TestWorkspace, { id }: MemberRow) =>
  browser.request('GET', workspace.path(`/members/${id}`));

describe('proving an address that only members have', () => {
  it.each(['email', 'phone'] as const)('creates an account for the member: %s', async (channel) => {
    const address = channel === 'email' ? uniqueEmail() : uniquePhone();
    const member = await addPerson(here, { [channel]: address, name: 'Robin', locale: 'fr-CA' });

    const browser = await signedIn({ [channel]: address } as Address);

    const { body: account } = await browser.request('GET', '/account');
    expect(account).toMatchObject({
      loggedIn: true,
      email: null,
      phone: null,
      emailVerifiedAt: null,
      phoneVerifiedAt: null,
      name: 'Robin',
      locale: 'fr-CA',
      signupWorkspaceId: here.workspaceId,
      tosAccepted: false,
      [channel]: address,
      [`${channel}VerifiedAt`]: clock.now().toISOString(),
    });
    expect(await read(browser, here, member)).toMatchObject({ status: 200 });
    expect(await accountBehind(here, member)).toBe(account.id);
  });

  it('uses the account that the sign-up has created, which then no longer stands alone', async () => {
    const email = uniqueEmail();
    const member = await addPerson(here, { email });
    const { id, uuid } = await signUp(here, member);

    const browser = await signedIn({ email });

    expect((await browser.request('GET', '/account')).body).toMatchObject({
      id,
      uuid,
      email,
      name: member.name,
      signupWorkspaceId: here.workspaceId,
      tosAccepted: true,
    });
    expect(await findAccount(id)).toMatchObject({ standsAlone: false });
  });

  it('merges several such accounts into the oldest, with all members', async () => {
    const email = uniqueEmail();
    const third = await createWorkspace(here.database);
    const made = await addPerson(third, { email });
    const [one, other] = [await addPerson(here, { email }), await addPerson(there, { email })];
    const [{ id }, younger] = [await signUp(there, other), await signUp(here, one)];

    const browser = await signedIn({ email });

    const { body: account } = await browser.request('GET', '/account');
    expect(account).toMatchObject({ id, signupWorkspaceId: there.workspaceId });
    expect(await findAccount(younger.id)).toBeUndefined();
    const behind = [accountBehind(here, one), accountBehind(there, other), accountBehind(third, made)];
    expect(await Promise.all(behind)).toEqual([id, id, id]);
    const { body } = await browser.request('GET', '/workspaces');
    expect(body.items.map(({ id }: { id: number }) => id).sort()).toEqual(
      [here, there, third].map(({ workspaceId }) => workspaceId).sort(),
    );
  });

  it('creates one account when email and phone are proved concurrently', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const member = await addPerson(here, { email, phone });
    await signUp(here, member);
    const asking = visitor();
    const codes = [await asking.askForCode({ email }), await asking.askForCode({ phone })];

    const use = (index: number) => visitor().request('POST', '/sessions', { body: codes[index % 2] });
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => use(index)));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'login_refused')).toHaveLength(49);
    const { accounts } = here.database.identity;
    const owners = [await accounts.findByEmail(email), await accounts.findByPhone(phone)];
    expect(owners.flatMap((owner) => owner?.id ?? [])).toEqual([await accountBehind(here, member)]);
  });

  it('creates one account for members in fifty workspaces when two addresses are proved at once', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const workspaces = await Promise.all(Array.from({ length: 50 }, () => createWorkspace(here.database)));
    const members = await Promise.all(
      workspaces.map(async (workspace, index) => {
        const member = await addPerson(workspace, { email, phone });
        if (index % 2 === 0) await signUp(workspace, member);
        return member;
      }),
    );
    const asking = visitor();
    const codes = [await asking.askForCode({ email }), await asking.askForCode({ phone })];

    const answers = await Promise.all(codes.map((body) => visitor().request('POST', '/sessions', { body })));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
    const behind = await Promise.all(
      workspaces.map((workspace, index) => accountBehind(workspace, { id: members[index]?.id ?? 0 })),
    );
    expect(new Set(behind).size).toBe(1);
    expect(await findAccount(behind[0] ?? 0)).toMatchObject({ standsAlone: false });
  });
});

describe('proving an address that an account has', () => {
  async function addAccount(values: { enabled?: boolean; optedOut?: boolean } = {}) {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const { accounts } = here.database.identity;
    const account = await accounts.create({ email, phone, name: 'Of long standing', ...values });
    return { ...account, email, phone };
  }

  it('binds the members with that address to the account, but not before the proof', async () => {
    const { id, email, phone } = await addAccount({ optedOut: true });
    const [one, other] = [await addPerson(here, { email }), await addPerson(there, { email })];
    const alone = await signUp(here, one);
    const browser = await signedIn({ phone });
    expect(await read(browser, here, one)).toMatchObject({ status: 404 });

    await browser.signIn({ email });

    expect(await read(browser, here, one)).toMatchObject({ status: 200 });
    expect(await read(browser, there, other)).toMatchObject({ status: 200 });
    expect(await findAccount(alone.id)).toBeUndefined();
    // The workspaces’ data about the person do not override the data of the account.
    expect((await browser.request('GET', '/account')).body).toMatchObject({
      id,
      name: 'Of long standing',
      phone,
      signupWorkspaceId: null,
      tosAccepted: false,
      optedOut: true,
    });
  });

  it('skips a member in a workspace where the account has another member', async () => {
    const { id, email, phone } = await addAccount();
    const known = await addPerson(here);
    await bind(here, known, id);
    const namesake = await addPerson(here, { email });
    const alone = await signUp(here, namesake);
    const unlinked = await addPerson(here, { email: null, phone });

    const browser = await signedIn({ email });
    await browser.signIn({ phone });

    expect(await accountBehind(here, known)).toBe(id);
    expect(await accountBehind(here, namesake)).toBe(alone.id);
    expect(await accountBehind(here, unlinked)).toBeUndefined();
    expect(await findAccount(alone.id)).toMatchObject({ standsAlone: true, email: null });
  });

  it('binds members to an account that got the address after the code was requested', async () => {
    const { accounts } = here.database.identity;
    const [email, other] = [uniqueEmail(), uniqueEmail()];
    const [member, theirs] = [await addPerson(here, { email }), await addPerson(here, { email: other })];
    const browser = visitor();
    const codes = [await browser.askForCode({ email }), await browser.askForCode({ email: other })];
    const account = await accounts.create({ email });
    await accounts.create({ email: other, enabled: false });

    const answers = [];
    for (const body of codes) answers.push(await visitor().request('POST', '/sessions', { body }));

    expect(answers.map(({ status }) => status)).toEqual([201, 401]);
    expect(await accountBehind(here, member)).toBe(account.id);
    expect(await accountBehind(here, theirs)).toBeUndefined();
  });

  it('binds members to an account that gets the address while the sign-in waits for their locks', async () => {
    const email = uniqueEmail();
    const member = await addPerson(here, { email });
    const browser = visitor();
    const body = await browser.askForCode({ email });
    const somebody = new pg.Client({ connectionString: database.superuserUrl });
    await somebody.connect();
    await somebody.query('begin');
    await somebody.query('select 1 from members where id = $1 for no key update', [member.id]);

    const signingIn = browser.request('POST', '/sessions', { body });
    await waitFor('signing in waits for the member', async () => {
      const { rows } = await somebody.query(
        'select 1 from pg_locks where not granted and transactionid = pg_current_xact_id()::xid',
      );
      return rows.length > 0;
    });
    const insert = 'insert into identity.accounts (email) values ($1) returning id';
    const { rows } = await somebody.query(insert, [email]);
    await somebody.query('commit');
    await somebody.end();

    expect(await signingIn).toMatchObject({ status: 201 });
    expect(await accountBehind(here, member)).toBe(Number(rows[0].id));
  });

  it('binds no members while the account is disabled', async () => {
    const { email } = await addAccount({ enabled: false });
    const member = await addPerson(here, { email });
    const alone = await signUp(here, member);
    expect(await tryToSignIn({ email })).toMatchObject(refused);
    expect(await accountBehind(here, member)).toBe(alone.id);
  });
});

describe('a session from a member token before the address is proved', () => {
  const tokenOf = async (workspace: TestWorkspace, { id }: MemberRow) => {
    const { apiKey } = workspace.admin;
    const answer = await api.request('POST', workspace.path(`/members/${id}/tokens`), { apiKey });
    expect(answer.status).toBe(201);
    return { memberToken: answer.body.token };
  };
  const enter = async (body: { memberToken: string }) => {
    const browser = visitor();
    expect((await browser.request('POST', '/sessions', { body })).status).toBe(201);
    return browser;
  };
  const enterAs = async (workspace: TestWorkspace, member: MemberRow) =>
    enter(await tokenOf(workspace, member));

  it.each([
    ['has no account', false],
    ['has one that stands alone', true],
  ])('ends with the proof if the member %s', async (_, isSignedUp) => {
    const email = uniqueEmail();
    const [one, other] = [await addPerson(here, { email }), await addPerson(there, { email })];
    if (isSignedUp) await Promise.all([signUp(here, one), signUp(there, other)]);
    const unused = await tokenOf(here, one);
    const [stranger, elsewhere] = [await enterAs(here, one), await enterAs(there, other)];

    const person = await signedIn({ email });

    expect((await read(stranger, here, one)).status).toBe(401);
    expect((await read(elsewhere, there, other)).status).toBe(401);
    expect(await visitor().request('POST', '/sessions', { body: unused })).toMatchObject(refused);
    expect((await read(person, here, one)).status).toBe(200);
    // The workspace may issue tokens for the member again, now knowing whose member it is.
    const again = await enterAs(here, one);
    await person.signIn({ email });
    expect((await read(again, here, one)).status).toBe(200);
  });

  it('ends with the proof if the token is redeemed concurrently', async () => {
    const email = uniqueEmail();
    const member = await addPerson(here, { email });
    const { memberToken } = await tokenOf(here, member);
    const person = visitor();
    const code = await person.askForCode({ email });
    const { database, workspaceId } = here;
    const { sessions, memberTokens } = database.identity;
    const { token, hash } = createSessionToken();

    const { proving } = await database.inWorkspace(workspaceId, async (tx) => {
      const now = clock.now();
      await memberTokens.use(hashMemberToken(memberToken), now, tx);
      const begun = { userAgent: null, createdAt: now, expiresAt: new Date(now.getTime() + 3_600_000) };
      await sessions.insert({ accountId: null, workspaceId, memberId: member.id, hash, ...begun }, tx);
      const request = person.request('POST', '/sessions', { body: code });
      await whenWaitedFor(tx);
      return { proving: request };
    });

    expect(await proving).toMatchObject({ status: 201 });
    const stranger = visitor();
    stranger.token = token;
    expect((await read(stranger, here, member)).status).toBe(401);
  });

  it('continues if the account has another member there, or the token is for another member', async () => {
    const email = uniqueEmail();
    const first = await addPerson(here, { email });
    await visitor().signIn({ email });
    await asAdmin('PUT', `/members/${first.id}`, { email: null });
    const [namesake, neighbour] = [await addPerson(here, { email }), await addPerson(here)];
    const [asNamesake, asNeighbour] = [await enterAs(here, namesake), await enterAs(here, neighbour)];

    await visitor().signIn({ email });

    expect((await read(asNamesake, here, namesake)).status).toBe(200);
    expect((await read(asNeighbour, here, neighbour)).status).toBe(200);
  });
});

describe('a member with a signed-in account', () => {
  it('stays with its account, whatever addresses its workspace gives it', async () => {
    const [email, phone] = [uniqueEmail(), uniquePhone()];
    const member = await addPerson(here, { email });
    await signedIn({ email });
    const accountId = await accountBehind(here, member);
    expect((await asAdmin('PUT', `/members/${member.id}`, { phone })).status).toBe(200);

    // The owner of that phone gets no code, no access to the account, and is not bound to the member.
    const { loginCodeUuid } = await visitor().askForCode({ phone });
    const answer = await here.database.identity.loginCodes.findByUuid(loginCodeUuid);
    expect(answer).toMatchObject({ accountId: null, claimantMemberId: null });
    expect(await tryToSignIn({ phone })).toMatchObject(refused);
    const theirs = await addPerson(there, { phone });
    expect((await tryToSignIn({ phone })).status).toBe(201);

    expect(await accountBehind(here, member)).toBe(accountId);
    expect(await accountBehind(there, theirs)).not.toBe(accountId);
    expect(await findAccount(accountId ?? 0)).toMatchObject({ email, phone: null });
  });
});

describe('a member’s claim to an address', () => {
  it.each([
    ['where the workspace gave the member another address', { email: uniqueEmail() }],
    ['where the address was taken from it', { email: null }],
  ])('is void %s before the code was used', async (_, change) => {
    const email = uniqueEmail();
    const member = await addPerson(here, { email });
    const browser = visitor();
    const body = await browser.askForCode({ email });
    await asAdmin('PUT', `/members/${member.id}`, change);

    expect(await browser.request('POST', '/sessions', { body })).toMatchObject(refused);
    expect(await accountBehind(here, member)).toBeUndefined();
    expect(await here.database.identity.accounts.findByEmail(email)).toBeUndefined();
  });

  it('is void after the deletion of the member, and its standalone account is deleted too', async () => {
    const email = uniqueEmail();
    const member = await addPerson(here, { email });
    const alone = await signUp(here, member);
    const browser = visitor();
    const body = await browser.askForCode({ email });
    expect((await asAdmin('DELETE', `/members/${member.id}`)).status).toBe(204);

    expect(await browser.request('POST', '/sessions', { body })).toMatchObject(refused);
    expect(await findAccount(alone.id)).toBeUndefined();
  });

  it('is void for an assistant, and for a member with a disabled account', async () => {
    const [email, other] = [uniqueEmail(), uniqueEmail()];
    await addPerson(here, { email, kind: 'assistant' });
    const member = await addPerson(here, { email: other });
    const disabled = await signUp(here, member, { enabled: false });

    expect(await tryToSignIn({ email })).toMatchObject(refused);
    expect(await tryToSignIn({ email: other })).toMatchObject(refused);
    expect(await findAccount(disabled.id)).toMatchObject({ standsAlone: true, enabled: false });
  });

  it('leaves no account behind the member when deletion and proof run concurrently', async () => {
    const people = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const email = uniqueEmail();
        const member = await addPerson(here, { email });
        const browser = visitor();
        return { member, browser, body: await browser.askForCode({ email }) };
      }),
    );

    const answers = await Promise.all(
      people.flatMap(({ member, browser, body }) => [
        browser.request('POST', '/sessions', { body }),
        asAdmin('DELETE', `/members/${member.id}`),
      ]),
    );

    const deletions = answers.filter((_, index) => index % 2 === 1);
    expect(deletions.map(({ status }) => status)).toEqual(Array(20).fill(204));
    for (const { member } of people) expect(await accountBehind(here, member)).toBeUndefined();
  });
});

describe('one account in several workspaces', () => {
  it('has in each workspace the role of its member there', async () => {
    const email = uniqueEmail();
    const reader = await addRole(here, { permissions: ['members:read'] });
    const manager = await addRole(there, { permissions: ['members:read', 'members:write', 'roles:write'] });
    await addPerson(here, { email, memberRoleId: reader.id });
    await addPerson(there, { email, memberRoleId: manager.id });
    const browser = await signedIn({ email });
    const role = { name: 'Made by session', permissions: [] };

    const answers = await Promise.all(
      [here, there].flatMap((workspace) => [
        browser.request('GET', workspace.path(`/members/${workspace.admin.memberId}`)),
        browser.request('POST', workspace.path('/member-roles'), { body: role }),
      ]),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 403, 200, 201]);
  });

  it('loses only the workspace in which its member is deleted', async () => {
    const email = uniqueEmail();
    const [one, other] = [await addPerson(here, { email }), await addPerson(there, { email })];
    const browser = await signedIn({ email });
    await asAdmin('DELETE', `/members/${one.id}`);
    expect((await read(browser, here, one)).status).toBe(404);
    expect((await read(browser, there, other)).status).toBe(200);
  });
});

describe('an account without a proved address', () => {
  it('does not count as a remaining admin', async () => {
    const workspace = await createWorkspace(here.database);
    const second = await addPerson(workspace, { memberRoleId: workspace.roles.admin.id });
    await signUp(workspace, second);
    const { apiKey, memberId } = workspace.admin;
    const answer = await api.request('DELETE', workspace.path(`/members/${memberId}`), { apiKey });
    expect(answer).toMatchObject({ status: 409, body: { code: 'last_admin' } });
  });
});
