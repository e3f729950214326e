import { describe, expect, it } from 'vitest';
import { selectUnprovedIdentifiers } from '../../../../db/people/unproved-identifiers.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import {
  addMember,
  addMemberRow,
  addRole,
  uniqueEmail,
  uniquePhone,
} from '../../../support/workspace/factories.js';
import { addLabel, signUpDesk } from './sign-up-desk.js';

const { api, workspace, asAdmin } = useApi({ storesEvents: true });

const signUp = (member: object) => signUpDesk(api, workspace)(member);
const memberOf = async (id: number) => (await asAdmin('GET', `/members/${id}`)).body;
let people = 0;
type Person = ReturnType<typeof person>;
/** A person with all three identifiers. */
function person() {
  people += 1;
  return { email: uniqueEmail(), phone: uniquePhone(), externalId: `crm-${people}` };
}

async function pendingOf(memberId: number) {
  const member = await memberOf(memberId);
  const unproved = await workspace.within((tx) => selectUnprovedIdentifiers(tx, memberId));
  const addresses = unproved.map(({ channel, address }) => ({ channel, address }));
  return addresses.filter(({ channel, address }) => member[channel] !== address);
}

async function eventsOf(memberId: number) {
  const rows: { body: string }[] = await workspace.within((tx) =>
    tx('events').where({ event_type: 'member:updated' }).orderBy('id').select('body'),
  );
  return rows.map(({ body }) => JSON.parse(body).member).filter(({ id }) => id === memberId);
}

describe('a repeated sign-up', () => {
  it('updates the existing member with the given values and keeps the omitted ones', async () => {
    const { email } = person();
    const [one, other] = [await addLabel(workspace), await addLabel(workspace)];
    const first = await signUp({ email, name: 'Before', dateOfBirth: '1990-01-01', labels: [one.slug] });

    const second = await signUp({ email, name: 'After', locale: 'fr', labels: [other.slug] });

    expect(first.body.wasCreated).toBe(true);
    expect(second).toMatchObject({
      status: 201,
      body: {
        wasCreated: false,
        account: { uuid: first.body.account.uuid, email, name: 'After' },
        member: { id: first.body.member.id, email },
      },
    });
    const labels = [one, other].sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(second.body.member.labels).toEqual(labels);
    const { id } = first.body.member;
    const after = { name: 'After', dateOfBirth: '1990-01-01', locale: 'fr', labels };
    expect(await memberOf(id)).toMatchObject(after);
    expect(await eventsOf(id)).toMatchObject([after]);
  });

  it('changes nothing and creates no event if nothing is new', async () => {
    const label = await addLabel(workspace);
    const member = { ...person(), name: 'Robin', labels: [label.slug] };
    const first = await signUp(member);
    const { id } = first.body.member;
    const before = await memberOf(id);

    const second = await signUp({ ...member, email: member.email.toUpperCase() });

    expect(second.body).toMatchObject({ wasCreated: false, member: first.body.member });
    expect(second.body.token).toBeNull();
    expect(await memberOf(id)).toEqual(before);
    expect(await eventsOf(id)).toEqual([]);
  });

  it.each([
    ['email', 'phone'],
    ['phone', 'email'],
    ['externalId', 'email'],
    ['externalId', 'phone'],
  ] as const)('finds the member by %s and keeps the missing %s pending', async (known, missing) => {
    const identifiers = person();
    const { id } = (await signUp({ [known]: identifiers[known] })).body.member;

    const second = await signUp({ [known]: identifiers[known], [missing]: identifiers[missing] });

    expect(second).toMatchObject({ status: 201, body: { wasCreated: false, member: { id } } });
    expect(await memberOf(id)).toMatchObject({ [missing]: null });
    expect(await pendingOf(id)).toEqual([{ channel: missing, address: identifiers[missing] }]);
    const third = await signUp({ [missing]: identifiers[missing] });
    expect(third.body.wasCreated).toBe(true);
    expect(third.body.member.id).not.toBe(id);
  });

  it.each(['email', 'phone'] as const)(
    'finds the member by %s and sets the missing external id, which the caller controls',
    async (known) => {
      const identifiers = person();
      const first = await signUp({ [known]: identifiers[known] });

      await signUp({ [known]: identifiers[known], externalId: identifiers.externalId });

      const third = await signUp({ externalId: identifiers.externalId });
      expect(third.body).toMatchObject({ wasCreated: false, member: { id: first.body.member.id } });
    },
  );

  it.each([
    ['email', { email: uniqueEmail() }],
    ['phone', { phone: uniquePhone() }],
    ['externalId', { externalId: 'crm-another' }],
  ])('returns the stored values if another %s is given', async (_, other) => {
    const identifiers = person();
    const { body } = await signUp(identifiers);

    const answer = await signUp({ ...identifiers, ...other });

    const { email, phone } = identifiers;
    expect(answer).toMatchObject({
      status: 201,
      body: { wasCreated: false, account: { email, phone }, member: { id: body.member.id, email } },
    });
    expect(await memberOf(body.member.id)).toMatchObject(identifiers);
  });

  it('keeps one pending address per channel, the latest', async () => {
    const { externalId } = person();
    const { body } = await signUp({ externalId });
    const [first, second, phone] = [uniqueEmail(), uniqueEmail(), uniquePhone()];

    for (const more of [{ email: first }, { phone }, { email: second }, { email: second, phone }]) {
      await signUp({ externalId, ...more });
    }

    expect(await pendingOf(body.member.id)).toEqual([
      { channel: 'email', address: second },
      { channel: 'phone', address: phone },
    ]);
  });

  it('keeps name, date of birth and locale if the caller may not manage members', async () => {
    const greeter = await addMember(workspace, { permissions: ['account:create'] });
    const desk = signUpDesk(api, workspace, greeter.apiKey);
    const { email } = person();
    const before = { name: 'Before', dateOfBirth: '1990-01-01' };
    const { body } = await desk({ email, ...before });

    const answer = await desk({ email, name: 'After', dateOfBirth: '1991-01-01', locale: 'fr' });

    expect(answer).toMatchObject({ status: 201, body: { wasCreated: false, account: { name: 'Before' } } });
    expect(await memberOf(body.member.id)).toMatchObject({ ...before, locale: 'fr' });
    await desk({ email, locale: 'es' });
    expect(await memberOf(body.member.id)).toMatchObject({ locale: 'fr' });
  });

  it('keeps the role, whichever is named', async () => {
    const [basic, better] = [await addRole(workspace), await addRole(workspace)];
    const { email } = person();
    await signUp({ email, role: better.name });

    for (const role of [basic.name, workspace.roles.member.name, undefined]) {
      const { body } = await signUp({ email, role });
      expect(body.member.memberRoleId).toBe(better.id);
    }
    expect(await signUp({ email, role: 'Admin' })).toMatchObject({ status: 400 });
  });

  it('finds a member that an operator has created and gives it an account', async () => {
    const { email } = person();
    const row = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id, email });
    const { memberships } = workspace.database.identity;
    expect(await memberships.findByMember(workspace.workspaceId, row.id)).toBeUndefined();

    const { body } = await signUp({ email });

    expect(body).toMatchObject({ wasCreated: false, member: { id: row.id } });
    const membership = await memberships.findByMember(workspace.workspaceId, row.id);
    const account = await workspace.database.identity.accounts.findById(membership?.accountId ?? 0);
    expect(account).toMatchObject({ standsAlone: true, name: row.name });
    expect(membership?.accountAlias).toBe(body.account.uuid);
  });

  it('creates a new member after the deletion of the first', async () => {
    const identifiers = person();
    const first = await signUp(identifiers);
    const deleted = await asAdmin('DELETE', `/members/${first.body.member.id}`);
    expect(deleted.status).toBe(204);

    const second = await signUp(identifiers);

    expect(second.body.wasCreated).toBe(true);
    expect(second.body.member.id).not.toBe(first.body.member.id);
    expect(second.body.account.uuid).not.toBe(first.body.account.uuid);
  });
});

describe('a sign-up with identifiers of different members', () => {
  it('is rejected and names the conflicting fields', async () => {
    const [one, other, third] = [person(), person(), person()];
    await signUp({ email: one.email, name: 'One' });
    await signUp({ phone: other.phone });
    const before = await asAdmin('GET', '/members', undefined, { search: one.email });

    const { externalId } = third;
    const mixed = { email: one.email, phone: other.phone, externalId };

    const two = await signUp({ ...mixed, name: 'X' });
    await signUp({ externalId });
    const three = await signUp(mixed);

    expect(two).toMatchObject({ status: 400, body: { code: 'different_members' } });
    expect(pointersOf(two.body)).toEqual(['/member/email', '/member/phone']);
    expect(three).toMatchObject({ status: 400, body: { code: 'different_members' } });
    expect(pointersOf(three.body)).toEqual(['/member/email', '/member/phone', '/member/externalId']);
    expect((await asAdmin('GET', '/members', undefined, { search: one.email })).body).toEqual(before.body);
  });
});

describe('fifty concurrent sign-ups', () => {
  const fifty = (body: (index: number) => object) =>
    Promise.all(Array.from({ length: 50 }, (_, index) => signUp(body(index))));

  it.each([
    ['by the same identifiers', (all: Person) => [all]],
    [
      'by some of the identifiers each',
      ({ email, externalId }: Person) => [{ email }, { email, externalId }, { externalId, email }],
    ],
    [
      'by some of the identifiers each, of a member that is there',
      ({ email, phone, externalId }: Person) => [{ email }, { phone }, { externalId }],
    ],
  ])('%s create one member and report one creation', async (title, ways) => {
    const identifiers = person();
    const bodies = ways(identifiers);
    const isThere = title.endsWith('is there');
    if (isThere) await signUp(identifiers);

    const answers = await fifty((index) => bodies[index % bodies.length] ?? {});

    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(201));
    expect(answers.filter(({ body }) => body.wasCreated)).toHaveLength(isThere ? 0 : 1);
    expect(new Set(answers.map(({ body }) => body.member.id)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.account.uuid)).size).toBe(1);
    const tokens = answers.filter(({ body }) => body.token !== null);
    expect(tokens).toHaveLength(isThere ? 0 : 1);
    const given = Object.assign({}, ...bodies);
    expect(await memberOf(answers[0]?.body.member.id)).toMatchObject(given);
  });

  it('give one account to a member that an operator has created', async () => {
    const identifiers = person();
    const row = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id, ...identifiers });
    const answers = await fifty(() => ({ externalId: identifiers.externalId }));
    expect(new Set(answers.map(({ body }) => body.member.id))).toEqual(new Set([row.id]));
    expect(new Set(answers.map(({ body }) => body.account.uuid)).size).toBe(1);
  });

  it('complete without errors while an operator creates, labels and deletes matching members', async () => {
    const identifiers = person();
    const label = await addLabel(workspace);
    const operate = async () => {
      const made = await asAdmin('POST', '/members', { ...identifiers, labelIds: [label.id] });
      if (made.status !== 201) return made.status;
      await asAdmin('PUT', `/members/${made.body.id}`, { labelIds: [] });
      return (await asAdmin('DELETE', `/members/${made.body.id}`)).status;
    };

    const [answers, operated] = await Promise.all([
      fifty(() => ({ ...identifiers, labels: [label.slug] })),
      Promise.all(Array.from({ length: 10 }, operate)),
    ]);

    const { externalId } = identifiers;
    expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
    expect(operated.filter((status) => ![204, 400, 404, 409].includes(status))).toEqual([]);
    const { body } = await asAdmin('GET', '/members', undefined, { externalId });
    expect(body.total).toBeLessThanOrEqual(1);
  });

  it('with overlapping identifiers create one member per person', async () => {
    const [one, other] = [person(), person()];
    const bodies = [
      { email: one.email, phone: one.phone },
      { phone: one.phone, externalId: one.externalId },
      { email: other.email, externalId: other.externalId },
      { phone: other.phone, email: other.email },
    ];

    const answers = await fifty((index) => bodies[index % bodies.length] ?? {});

    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(201));
    expect(answers.filter(({ body }) => body.wasCreated)).toHaveLength(2);
    expect(new Set(answers.map(({ body }) => body.member.id)).size).toBe(2);
  });
});
