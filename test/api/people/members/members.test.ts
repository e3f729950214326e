import { describe, expect, it } from 'vitest';
import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { createLabel } from '../../../../domain/kernel/labels.js';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { memberLabels } from '../../../../domain/people/member-labels/member-labels.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { callAs, pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import {
  addApiKey,
  addMember,
  addMemberRow,
  addRole,
  createWorkspace,
  randomTag,
  type TestWorkspace,
  uniqueEmail,
  uniquePhone,
} from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, as, asAdmin, asMember } = useApi({ storesEvents: true });
const identifiers = [
  ['email', uniqueEmail],
  ['phone', uniquePhone],
  ['externalId', randomTag],
] as const;
const nationalOf = (phone: string) => `(${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`;

const person = (values = {}) =>
  addMemberRow(workspace, { memberRoleId: workspace.roles.member.id, ...values });

const addLabel = async (place: TestWorkspace, name: string) => {
  const slug = `${name.toLowerCase()}-${randomTag()}`;
  const { id } = await createLabel(place.context(), memberLabels, { name, slug });
  return { id, slug, name };
};

const listIn = (place: TestWorkspace, query: Record<string, string | number>) =>
  callAs(api, place, place.admin)('GET', '/members', undefined, query);

const expectRefusal = async (pointers: string[], ...call: Parameters<typeof asAdmin>) => {
  const { status, body } = await asAdmin(...call);
  expect([status, pointersOf(body)]).toEqual([400, pointers]);
};

describeAccess({ api, workspace, otherWorkspace }, ['list', 'create', 'get', 'update', 'delete'], () => {
  const one = `/members/${workspace.admin.memberId}`;
  const body = { name: 'Someone' };
  return [
    { method: 'GET', path: '/members', scope: 'members:read', needsPermission: false, namesItem: false },
    {
      method: 'POST',
      path: '/members',
      scope: 'members:write',
      needsPermission: true,
      body,
      namesItem: false,
    },
    { method: 'GET', path: one, scope: 'members:read', needsPermission: true, namesItem: true },
    { method: 'PUT', path: one, scope: 'members:write', needsPermission: true, body, namesItem: true },
    { method: 'DELETE', path: one, scope: 'members:write', needsPermission: true, namesItem: true },
  ];
});

describe('creating a member', () => {
  it('stores all fields, with lower-case email and E.164 phone', async () => {
    const label = await addLabel(workspace, 'Pilot');
    const tag = randomTag();
    const phone = uniquePhone();
    const stored = {
      name: 'Someone New',
      dateOfBirth: '1984-02-29',
      description: 'Prefers mornings',
      externalId: `ext-${tag}`,
      memberRoleId: workspace.roles.member.id,
      notifyEmail: false,
      notifySms: true,
      notifyVoice: false,
    };

    const answer = await asAdmin('POST', '/members', {
      ...stored,
      email: `Person-${tag}@Example.COM`,
      phone: nationalOf(phone),
      labelIds: [label.id],
      locale: 'en-us',
    });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...stored,
      id: expect.any(Number),
      disabledAt: null,
      uuid: expect.any(String),
      kind: 'human',
      email: `person-${tag}@example.com`,
      phone,
      memberRoleName: 'Member',
      labels: [label],
      locale: 'en-US',
      smsOptedOutAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await asAdmin('GET', `/members/${answer.body.id}`)).body).toEqual(answer.body);
  });

  it('sets the first non-admin role and all notifications by default', async () => {
    const answer = await asAdmin('POST', '/members', { name: 'Someone' });

    const notified = { notifyEmail: true, notifySms: true, notifyVoice: true };
    const body = {
      memberRoleId: workspace.roles.member.id,
      email: null,
      phone: null,
      labels: [],
      ...notified,
    };
    expect(answer).toMatchObject({ status: 201, body });
  });

  it('reads a national number in the workspace’s region', async () => {
    const place = await createWorkspace(workspace.database, { defaultRegion: 'GB' });
    const answer = await callAs(api, place, place.admin)('POST', '/members', { phone: '020 7946 0018' });
    expect(answer).toMatchObject({ status: 201, body: { phone: '+442079460018' } });
  });

  it('counts the characters of a name in code points', async () => {
    const name = '😀'.repeat(200);
    expect(await asAdmin('POST', '/members', { name })).toMatchObject({ status: 201, body: { name } });
  });

  it.each([
    ['no identifier and no name', { description: 'Nobody' }, ['']],
    ['an email that is none', { email: 'nowhere' }, ['/email']],
    ['a phone number that is none', { phone: '12' }, ['/phone']],
    [
      'all wrong fields at once',
      { email: 'nowhere', phone: 'call me', locale: '??' },
      ['/email', '/phone', '/locale'],
    ],
    ['a name of blanks', { name: '   ' }, ['/name']],
    ['an invisible name', { name: '\u200b' }, ['/name']],
    ['a name that reverses text', { name: 'A\u202e' }, ['/name']],
    ['a name of 201 emoji', { name: '😀'.repeat(201) }, ['/name']],
    ['a day that does not exist', { name: 'A', dateOfBirth: '2023-02-30' }, ['/dateOfBirth']],
    ['a birth in the future', { name: 'A', dateOfBirth: '2999-01-01' }, ['/dateOfBirth']],
    ['a role that does not exist', { name: 'A', memberRoleId: 999_999_999 }, ['/memberRoleId']],
    ['a label that does not exist', { name: 'A', labelIds: [999_999_999] }, ['/labelIds/0']],
    ['an unknown field', { name: 'A', colour: 'red' }, ['/colour']],
    ['a flag that is no boolean', { name: 'A', notifySms: 'yes' }, ['/notifySms']],
  ])('refuses %s', (_, body, pointers) => expectRefusal(pointers, 'POST', '/members', body));

  it('refuses a role or label of another workspace like an unknown one', async () => {
    const label = await addLabel(otherWorkspace, 'Theirs');
    const memberRoleId = otherWorkspace.roles.member.id;
    await expectRefusal(['/memberRoleId'], 'POST', '/members', { name: 'A', memberRoleId });
    await expectRefusal(['/labelIds/0'], 'POST', '/members', { name: 'A', labelIds: [label.id] });
  });

  it('refuses taken identifiers and points at each field', async () => {
    const { email, phone, externalId } = await person({ externalId: `ext-${randomTag()}` });
    const body = { email: email?.toUpperCase(), phone, externalId };
    await expectRefusal(['/email', '/phone', '/externalId'], 'POST', '/members', body);
  });

  it('accepts identifiers that are used in another workspace only', async () => {
    const { email, phone } = otherWorkspace.member.row;
    expect((await asAdmin('POST', '/members', { email, phone })).status).toBe(201);
  });

  it.each(identifiers)('gives one of fifty concurrent requests the %s', async (field, unique) => {
    const body = { [field]: unique() };
    const answers = await Promise.all(Array.from({ length: 50 }, () => asAdmin('POST', '/members', body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of answers)
      if (status !== 201) expect([status, pointersOf(body)]).toEqual([400, [`/${field}`]]);
  });
});

describe('listing members', () => {
  it('paginates in a stable order', async () => {
    const own = await createWorkspace(workspace.database);
    const { id } = await addMemberRow(own, { memberRoleId: own.roles.member.id });
    const query = { page: 2, pageSize: 2 };
    const { body } = await listIn(own, query);
    expect(body).toMatchObject({ ...query, total: 3, totalPages: 2, items: [{ id }] });
  });

  it('filters by search, role, label, identifiers, kind and dates, alone and combined', async () => {
    const place = await createWorkspace(workspace.database);
    const list = async (query: Record<string, string | number>) => {
      const { body } = await listIn(place, query);
      return { ids: body.items.map(({ id }: { id: number }) => id), total: body.total };
    };
    const role = await addRole(place, { name: 'Night nurse' });
    const label = await addLabel(place, 'Trial');
    const values = { name: 'Percent 100% Sign', externalId: 'ext_1' };
    const found = await addMemberRow(place, { memberRoleId: role.id, ...values });
    await callAs(api, place, place.admin)('PUT', `/members/${found.id}`, { labelIds: [label.id] });
    const assistant = await createAssistant(place.context(), { name: 'Guide', instructions: 'Be brief.' });

    const phone = String(found.phone);
    for (const query of [
      { search: 'percent 100%' },
      { search: phone.slice(2) },
      { search: 'ext_1' },
      { memberRoleId: role.id },
      { memberRole: 'Night nurse' },
      { memberLabelId: label.id },
      { memberLabel: label.slug },
      { externalId: 'ext_1' },
      { email: String(found.email).toUpperCase() },
      { phone },
      { phone: nationalOf(phone) },
      { phone, memberRole: 'Night nurse', kind: 'human', updatedFrom: '2020-01-01T00:00:00Z' },
    ]) {
      expect([query, await list(query)]).toEqual([query, { ids: [found.id], total: 1 }]);
    }
    for (const query of [
      { search: 'percent_100' },
      { search: 'ext_' },
      { phone, kind: 'assistant' },
      { memberRole: 'night' },
      { memberLabel: 'trial' },
      { createdBefore: '2020-01-01T00:00:00Z' },
      { updatedBefore: '2020-01-01T00:00:00Z' },
      { memberRoleId: 987_654_321 },
    ]) {
      expect([query, await list(query)]).toEqual([query, { ids: [], total: 0 }]);
    }
    expect((await list({ kind: 'assistant' })).ids).toEqual([assistant.memberId]);
    expect((await list({ createdFrom: '2020-01-01T00:00:00Z' })).ids).toContain(found.id);
    await callAs(api, place, place.admin)('POST', `/members/${found.id}/disable`);
    expect((await list({ disabled: 'true' })).ids).toEqual([found.id]);
    expect((await list({ disabled: 'false' })).ids).not.toContain(found.id);
  });

  it('accepts several roles and labels, and matches any of them', async () => {
    const own = await createWorkspace(workspace.database);
    const [one, two] = [await addLabel(own, 'One'), await addLabel(own, 'Two')];
    const asOwn = callAs(api, own, own.admin);
    const people = [];
    for (const labelIds of [[one.id], [two.id], [one.id, two.id], []]) {
      people.push((await asOwn('POST', '/members', { name: 'A', labelIds })).body.id);
    }
    const ids = async (query: string) => {
      const { apiKey } = own.admin;
      const answer = await api.request('GET', `${own.path('/members')}?${query}`, { apiKey });
      return answer.body.items.map(({ id }: { id: number }) => id);
    };

    expect(await ids(`memberLabelId=${one.id}&memberLabelId=${two.id}`)).toEqual(people.slice(0, 3));
    expect(await ids(`memberLabel=${one.slug}&memberLabel=${two.slug}`)).toEqual(people.slice(0, 3));
    expect(await ids(`memberLabel=${one.slug}&memberLabelId=${two.id}`)).toEqual([people[2]]);
    expect(await ids('memberRole=Admin&memberRole=Nobody')).toEqual([own.admin.memberId]);
  });

  it('sorts with nulls last', async () => {
    const own = await createWorkspace(workspace.database);
    const role = await addRole(own);
    for (const name of ['Bea', null, 'Ada']) await addMemberRow(own, { memberRoleId: role.id, name });
    const sorted = async (sortOrder: string) => {
      const { body } = await listIn(own, { memberRoleId: role.id, sortBy: 'name', sortOrder });
      return body.items.map(({ name }: { name: string | null }) => name);
    };

    expect(await sorted('asc')).toEqual(['Ada', 'Bea', null]);
    expect(await sorted('desc')).toEqual(['Bea', 'Ada', null]);
  });

  it('returns only the caller without the read permission', async () => {
    const answer = await asMember('GET', '/members');
    expect(answer.body).toMatchObject({ total: 1, items: [{ id: workspace.member.memberId }] });
  });

  it.each([
    ['pageSize', 101],
    ['page', 0],
    ['sortBy', 'memberRoleId'],
    ['email', 'nowhere'],
    ['phone', 'call me'],
    ['kind', 'robot'],
    ['createdFrom', 'yesterday'],
  ])('refuses an invalid %s', (name, value) =>
    expectRefusal([`/${name}`], 'GET', '/members', undefined, { [name]: value }),
  );
});

describe('getting a member', () => {
  it('returns the caller’s own member without a permission', async () => {
    const answer = await asMember('GET', `/members/${workspace.member.memberId}`);
    expect(answer).toMatchObject({ status: 200, body: { id: workspace.member.memberId } });
  });

  it('returns 404 for unknown and out-of-range ids', async () => {
    expect((await asAdmin('GET', '/members/999999999')).status).toBe(404);
    expect((await asAdmin('GET', '/members/99999999999999999999')).status).toBe(404);
  });
});

describe('changing a member', () => {
  it('changes the given fields, clears nulls and keeps the rest', async () => {
    const label = await addLabel(workspace, 'Follow-up');
    const member = await person({ description: 'Old', externalId: `ext-${randomTag()}` });
    const given = { name: 'New Name', description: null, externalId: null, notifySms: false };
    const answer = await asAdmin('PUT', `/members/${member.id}`, { ...given, labelIds: [label.id] });
    const { email, phone } = member;
    expect(answer).toMatchObject({ status: 200, body: { ...given, labels: [label], email, phone } });
  });

  it('refuses identifiers of others and accepts the member’s own', async () => {
    const [member, other] = [await person(), await person()];
    const path = `/members/${member.id}`;
    const identifiersOf = ({ email, phone }: typeof member) => ({ email, phone });
    expect((await asAdmin('PUT', path, identifiersOf(member))).status).toBe(200);
    await expectRefusal(['/email', '/phone'], 'PUT', path, identifiersOf(other));
  });

  it.each(identifiers)(
    'gives the %s to one of fifty members in concurrent requests',
    async (field, unique) => {
      const value = unique();
      const members = await Promise.all(Array.from({ length: 50 }, () => person()));

      const answers = await Promise.all(
        members.map(({ id }) => asAdmin('PUT', `/members/${id}`, { [field]: value })),
      );

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status, body } of answers)
        if (status !== 200)
          expect([status, body.code, pointersOf(body)]).toEqual([400, 'duplicate', [`/${field}`]]);
    },
  );

  it('clears email and phone and frees them for others', async () => {
    const member = await person({ locale: 'de', dateOfBirth: '1990-01-01' });
    const empty = { email: null, phone: null, locale: null, dateOfBirth: null };
    expect(await asAdmin('PUT', `/members/${member.id}`, empty)).toMatchObject({ status: 200, body: empty });
    const { email, phone } = member;
    expect((await asAdmin('POST', '/members', { email, phone })).status).toBe(201);
  });

  it('creates one event per real change and none if nothing changes', async () => {
    const member = await person();
    const label = await addLabel(workspace, 'Told');
    const path = `/members/${member.id}`;
    const told = () =>
      workspace.within(async (tx) => {
        const rows = await tx<{ body: string }>('events').orderBy('id').select('body');
        return rows.map(({ body }) => JSON.parse(body)).filter((body) => body.member?.id === member.id);
      });

    const { email, phone, name } = member;
    const unchanged = await asAdmin('PUT', path, { name, email: String(email).toUpperCase(), phone });
    expect(unchanged.body.updatedAt).toBe(member.updatedAt.toISOString());
    await asAdmin('PUT', path, {});
    await asAdmin('PUT', path, { email: 'nowhere' });
    await asAdmin('PUT', path, { memberRoleId: workspace.roles.member.id, labelIds: [] });
    expect(await told()).toEqual([]);

    const changed = await asAdmin('PUT', path, { notifySms: false, labelIds: [label.id] });
    const { memberRoleName: _name, disabledAt: _at, smsOptedOutAt: _optedOut, ...shown } = changed.body;
    expect(await told()).toEqual([
      {
        event: 'member:updated',
        id: expect.any(String),
        createdAt: changed.body.updatedAt,
        workspaceUuid: workspace.workspaceUuid,
        member: shown,
      },
    ]);
    await asAdmin('PUT', path, { labelIds: [] });
    expect(await told()).toHaveLength(2);
  });

  it('allows members to change their own attributes, but not role, labels, external id, email or phone', async () => {
    const self = await addMember(workspace, { role: workspace.roles.member });
    const asSelf = as(self);
    const path = `/members/${self.memberId}`;

    const answer = await asSelf('PUT', path, { name: 'Me', notifySms: false });
    expect(answer).toMatchObject({ status: 200, body: { name: 'Me', notifySms: false } });
    const managed = [
      { memberRoleId: workspace.roles.admin.id },
      { labelIds: [] },
      { externalId: 'x' },
      { email: uniqueEmail() },
      { phone: uniquePhone() },
    ];
    for (const body of managed) expect((await asSelf('PUT', path, body)).status).toBe(403);
  });

  it('does not reveal to members whether an email or phone is in use', async () => {
    const other = await person();
    const tell = async (body: unknown) => {
      const answer = await asMember('PUT', `/members/${workspace.member.memberId}`, body);
      return [answer.status, answer.body.detail, answer.body.errors];
    };

    expect(await tell({ email: other.email })).toEqual(await tell({ email: uniqueEmail() }));
    expect(await tell({ phone: other.phone })).toEqual(await tell({ phone: 'no number' }));
  });

  it.each([
    ['email', () => uniqueEmail()],
    ['phone', () => uniquePhone()],
    ['externalId', () => 'somebody'],
    ['labelIds', () => []],
    ['memberRoleId', () => workspace.roles.member.id],
  ])(
    'rejects a change of %s on the key owner’s own member by a key with restricted scopes',
    async (field, value) => {
      const owner = await addMember(workspace, { role: workspace.roles.admin });
      const scopes = ['members:write', 'members:read'] as const;
      const apiKey = await addApiKey(workspace.database, owner.accountId, { scopes });
      const path = `/members/${owner.memberId}`;
      const before = (await asAdmin('GET', path)).body;

      const answer = await as({ apiKey })('PUT', path, { [field]: value() });

      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect((await asAdmin('GET', path)).body).toEqual(before);
      expect((await as({ apiKey })('PUT', path, { name: 'Own name' })).status).toBe(200);
    },
  );

  it('keeps one admin when all admins demote each other concurrently', async () => {
    const place = await createWorkspace(workspace.database);
    const admins = [place.admin];
    for (let count = 1; count < 4; count += 1) {
      admins.push(await addMember(place, { role: place.roles.admin, scopes: allScopes }));
    }

    const answers = await Promise.all(
      admins.map((admin, index) =>
        callAs(api, place, admin)('PUT', `/members/${admins[(index + 1) % admins.length]?.memberId}`, {
          memberRoleId: place.roles.member.id,
        }),
      ),
    );

    for (const { status } of answers) expect([200, 403, 409]).toContain(status);
    const left = await Promise.all(
      admins.map((admin) => callAs(api, place, admin)('GET', `/members/${admin.memberId}`)),
    );
    expect(left.filter(({ body }) => body.memberRoleName === 'Admin').length).toBeGreaterThanOrEqual(1);
  });

  it('rejects role, email and phone for an assistant', async () => {
    const { memberId } = await createAssistant(workspace.context(), { name: 'Guide', instructions: '' });
    const path = `/members/${memberId}`;
    const body = { memberRoleId: workspace.roles.admin.id, email: uniqueEmail(), phone: uniquePhone() };
    await expectRefusal(['/memberRoleId', '/email', '/phone'], 'PUT', path, body);
    expect((await asAdmin('PUT', path, { description: 'Speaks kindly' })).status).toBe(200);
  });

  it('refuses unknown fields, and returns 404 for an unknown id', async () => {
    const { id } = await person();
    await expectRefusal(['/kind'], 'PUT', `/members/${id}`, { kind: 'assistant' });
    expect((await asAdmin('PUT', '/members/999999999', { name: 'A' })).status).toBe(404);
  });
});

describe('deleting a member', () => {
  it('returns 409 for the last admin whose account can sign in', async () => {
    const place = await createWorkspace(workspace.database);
    const disabled = await addMember(place, { role: place.roles.admin });
    await place.database.identity.accounts.update(disabled.accountId, { enabled: false });
    await addMemberRow(place, { memberRoleId: place.roles.admin.id });
    const remove = () => callAs(api, place, place.admin)('DELETE', `/members/${place.admin.memberId}`);

    expect(await remove()).toMatchObject({ status: 409, body: { code: 'last_admin' } });

    await place.database.identity.accounts.update(disabled.accountId, { enabled: true });
    expect((await remove()).status).toBe(204);
  });

  it('returns 409 for an assistant', async () => {
    const { memberId } = await createAssistant(workspace.context(), { name: 'Guide', instructions: '' });
    const answer = await asAdmin('DELETE', `/members/${memberId}`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'member_is_assistant' } });
  });
});
