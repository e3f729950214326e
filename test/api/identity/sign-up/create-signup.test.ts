import { describe, expect, it } from 'vitest';
import { describeAccess } from '../../../support/api/access-cases.js';
import { openBrowser } from '../../../support/api/browser.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { MovedClock } from '../../../support/lib/moved-clock.js';
import {
  addApiKey,
  addMember,
  addMemberRow,
  addRole,
  createWorkspace,
  uniqueEmail,
  uniquePhone,
} from '../../../support/workspace/factories.js';
import { addLabel, signUpDesk } from './sign-up-desk.js';

const clock = new MovedClock(new Date('2031-05-01T12:00:00Z'));

const { api, workspace, otherWorkspace, asAdmin } = useApi({ clock, defaultRegion: 'GB' });

const signUp = (member: object, data?: object) => signUpDesk(api, workspace)(member, data);
const memberOf = async (id: number) => (await asAdmin('GET', `/members/${id}`)).body;

describeAccess({ api, workspace, otherWorkspace }, ['createSignup'], () => {
  const body = { member: { email: uniqueEmail() } };
  const call = { method: 'POST', path: '/create-signup', scope: 'account:create', body } as const;
  return [{ ...call, needsPermission: true, namesItem: false }];
});

describe('signing up', () => {
  it('creates and returns a member with all given values in normalised form', async () => {
    const [email, label] = [uniqueEmail(), await addLabel(workspace)];
    const stored = { name: 'Robin Example', dateOfBirth: '1990-02-28', externalId: 'crm-1' };

    const answer = await signUp({
      ...stored,
      email: email.toUpperCase(),
      phone: '020 7946 0958',
      locale: 'pt-br',
      tosAccepted: true,
      labels: [label.slug],
    });

    expect(answer).toEqual({
      status: 201,
      headers: expect.anything(),
      body: {
        token: expect.stringMatching(/^wmt_[\w-]{43}$/),
        account: {
          uuid: expect.stringMatching(/^[\da-f-]{36}$/),
          email,
          phone: '+442079460958',
          name: 'Robin Example',
        },
        member: { id: expect.any(Number), email, memberRoleId: workspace.roles.member.id, labels: [label] },
        wasCreated: true,
      },
    });
    expect(await memberOf(answer.body.member.id)).toMatchObject({
      ...stored,
      kind: 'human',
      email,
      phone: '+442079460958',
      locale: 'pt-BR',
      labels: [label],
      createdAt: clock.now().toISOString(),
    });
  });

  it.each([
    ['email', { email: uniqueEmail() }],
    ['phone', { phone: uniquePhone() }],
    ['externalId', { externalId: 'crm-2' }],
  ])('requires only one identifier: %s', async (_, identifier) => {
    const answer = await signUp({ ...identifier, name: null, role: null, labels: null, tosAccepted: null });
    expect(answer).toMatchObject({ status: 201, body: { wasCreated: true } });
    const empty = { email: null, phone: null, externalId: null, name: null, labels: [] };
    expect(await memberOf(answer.body.member.id)).toMatchObject({ ...empty, ...identifier });
  });

  it('assigns the named role, or the first non-admin role by default', async () => {
    const own = await createWorkspace(workspace.database);
    const named = await addRole(own, { name: 'Patient' });
    const desk = signUpDesk(api, own);
    expect((await desk({ email: uniqueEmail(), role: 'Patient' })).body.member.memberRoleId).toBe(named.id);
    expect((await desk({ email: uniqueEmail() })).body.member.memberRoleId).toBe(own.roles.member.id);
  });

  it('returns a token that signs in the member only, once', async () => {
    const { body } = await signUp({ email: uniqueEmail() });
    const browser = openBrowser(api);
    const exchanged = await browser.request('POST', '/sessions', { body: { memberToken: body.token } });

    expect(exchanged).toMatchObject({ status: 201, body: { memberId: body.member.id } });
    const read = (id: number) => browser.request('GET', workspace.path(`/members/${id}`));
    expect(await read(body.member.id)).toMatchObject({ status: 200 });
    expect(await read(workspace.admin.memberId)).toMatchObject({ status: 403 });
    expect((await browser.request('GET', '/account')).body).toMatchObject({ loggedIn: false });
    const again = await api.request('POST', '/sessions', { body: { memberToken: body.token } });
    expect(again).toMatchObject({ status: 401, body: { code: 'login_refused' } });
  });
});

describe('a key with only account:create', () => {
  const formKey = () =>
    addApiKey(workspace.database, workspace.admin.accountId, { scopes: ['account:create'] });
  const enter = async (memberToken: string) => {
    const browser = openBrowser(api);
    const answer = await browser.request('POST', '/sessions', { body: { memberToken } });
    expect(answer).toMatchObject({ status: 201 });
    return browser;
  };

  it('signs up into a wider role, and the token’s session has only the rights of the key', async () => {
    const role = await addRole(workspace, { permissions: ['members:read', 'data:read:notes', 'chats:read'] });
    const desk = signUpDesk(api, workspace, await formKey());
    const readers = await addApiKey(workspace.database, workspace.admin.accountId, {
      scopes: ['account:create', 'members:read'],
    });

    const answer = await desk({ email: uniqueEmail(), role: role.name });
    const wider = await signUpDesk(api, workspace, readers)({ email: uniqueEmail(), role: role.name });

    expect(answer).toMatchObject({ status: 201, body: { wasCreated: true } });
    const own = workspace.path(`/members/${answer.body.member.id}`);
    const other = workspace.path(`/members/${workspace.admin.memberId}`);
    const [narrow, wide] = [await enter(answer.body.token), await enter(wider.body.token)];
    expect(await narrow.request('GET', own)).toMatchObject({ status: 200 });
    expect(await narrow.request('GET', other)).toMatchObject({ status: 403 });
    expect(await wide.request('GET', other)).toMatchObject({ status: 200 });
  });

  it('gets no token for an existing member', async () => {
    const apiKey = await formKey();
    const email = uniqueEmail();
    const { id } = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id, email });

    const answer = await signUpDesk(api, workspace, apiKey)({ email });
    expect(answer).toMatchObject({ status: 201, body: { wasCreated: false, token: null, member: { id } } });
    expect(await api.request('POST', workspace.path(`/members/${id}/tokens`), { apiKey })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
  });
});

describe('a rejected sign-up', () => {
  const known = { externalId: 'crm-3' };
  const labels = Array.from({ length: 101 }, (_, index) => `label-${index}`);
  const records = Array.from({ length: 51 }, (_, index) => [`type-${index}`, { values: {} }]);
  const cases: [string, object, string[]][] = [
    ['without an identifier', { name: 'Robin' }, ['/member']],
    ['with identifiers that are null', { email: null, phone: null, externalId: null }, ['/member']],
    ['with what is no email', { email: 'robin' }, ['/member/email']],
    ['with what is no phone number', { phone: '12' }, ['/member/phone']],
    ['with what is no date', { ...known, dateOfBirth: '1990-02-30' }, ['/member/dateOfBirth']],
    ['with a date to come', { ...known, dateOfBirth: '2031-05-02' }, ['/member/dateOfBirth']],
    ['with what is no locale', { ...known, locale: 'not a locale' }, ['/member/locale']],
    ['with a role there is not', { ...known, role: 'Nobody' }, ['/member/role']],
    ['with an admin role', { ...known, role: 'Admin' }, ['/member/role']],
    [
      'with labels there are not',
      { ...known, labels: ['none', 'neither'] },
      ['/member/labels/0', '/member/labels/1'],
    ],
    ['with a name too long', { ...known, name: 'x'.repeat(201) }, ['/member/name']],
    ['with an external id too long', { externalId: 'x'.repeat(201) }, ['/member/externalId']],
    ['with an empty external id', { externalId: '' }, ['/member/externalId']],
    ['with an email too long', { email: `${'x'.repeat(250)}@example.com` }, ['/member/email']],
    ['with a role’s name too long', { ...known, role: 'x'.repeat(201) }, ['/member/role']],
    ['with labels twice', { ...known, labels: ['one', 'one'] }, ['/member/labels']],
    ['with too many labels', { ...known, labels }, ['/member/labels']],
    ['with terms neither accepted nor not', { ...known, tosAccepted: 'yes' }, ['/member/tosAccepted']],
    ['with a field there is not', { ...known, memberRoleId: 1 }, ['/member/memberRoleId']],
    [
      'with all of it',
      { email: 'robin', phone: '12', role: 'Nobody', labels: ['none'] },
      ['/member/email', '/member/phone', '/member/role', '/member/labels/0'],
    ],
  ];

  it.each(cases)('creates nothing: %s', async (_, member, pointers) => {
    const answer = await signUp(member);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(pointersOf(answer.body)).toEqual(pointers);
    const { body } = await asAdmin('GET', '/members', undefined, { externalId: 'crm-3' });
    expect(body.total).toBe(0);
  });

  it.each([
    ['no member', {}],
    ['a member that is none', { member: 'robin' }],
    ['data that are none', { member: known, data: [] }],
    ['data of a type without values', { member: known, data: { notes: {} } }],
    ['more besides', { member: known, more: true }],
    ['too many data', { member: known, data: Object.fromEntries(records) }],
  ])('creates nothing with %s', async (_, body) => {
    const answer = await asAdmin('POST', '/create-signup', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('creates nothing for role, label or data type names of another workspace', async () => {
    const label = await addLabel(otherWorkspace);
    const role = await addRole(otherWorkspace, { name: 'Only there' });
    const slug = 'only-there';
    const type = { name: 'Only there', slug, isCollection: false, fields: [] };
    const made = await callAs(api, otherWorkspace, otherWorkspace.admin)('POST', '/data-types', type);
    expect(made.status).toBe(201);

    const answer = await signUp(
      { email: uniqueEmail(), role: role.name, labels: [label.slug] },
      { [slug]: { values: {} } },
    );

    expect(answer.status).toBe(400);
    expect(pointersOf(answer.body)).toEqual(['/member/role', '/member/labels/0', `/data/${slug}`]);
  });

  it('creates nothing if the workspace has no non-admin role', async () => {
    const own = await createWorkspace(workspace.database);
    await workspace.database.inWorkspace(own.workspaceId, (tx) =>
      tx('member_roles').where({ id: own.roles.member.id }).update({ use_admin: true }),
    );
    const answer = await signUpDesk(api, own)({ email: uniqueEmail() });
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/member/role']]);
  });

  it('creates nothing if the caller’s role lacks permissions of the new member’s role', async () => {
    const greeter = await addMember(workspace, { permissions: ['account:create'] });
    const desk = signUpDesk(api, workspace, greeter.apiKey);
    const reader = await addRole(workspace, { name: 'Reader', permissions: ['chats:read'] });
    const email = uniqueEmail();
    await addMemberRow(workspace, { memberRoleId: reader.id, email });

    expect(await desk({ email: uniqueEmail() })).toMatchObject({ status: 201 });
    expect(await desk({ email: uniqueEmail(), role: 'Reader' })).toMatchObject({ status: 403 });
    expect(await desk({ email })).toMatchObject({ status: 201, body: { wasCreated: false, token: null } });
  });

  it.each([
    [{ permissions: ['members:write'] }],
    [{ permissions: ['chats:admin'] }],
    [{ useAdmin: true }],
    [{ manageWorkspace: true }],
  ])('changes nothing if the existing member has a role with %j', async (grants) => {
    const role = await addRole(workspace, grants);
    const email = uniqueEmail();
    const row = await addMemberRow(workspace, { memberRoleId: role.id, email, name: 'Before' });
    const answer = await signUp({ email, name: 'After', externalId: 'crm-admin' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'member_is_admin' } });
    expect(await memberOf(row.id)).toMatchObject({ name: 'Before', externalId: null });
  });

  it('changes nothing if the existing member is an assistant', async () => {
    const values = { kind: 'assistant' as const, externalId: 'crm-assistant', email: null, phone: null };
    await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id, ...values });
    const answer = await signUp({ externalId: 'crm-assistant' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'member_is_admin' } });
  });
});
