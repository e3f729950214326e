import { beforeAll, describe, expect, it } from 'vitest';
import { archiveWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/archive-workflow-definition.js';
import { createWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { createWorkspace, uniquePhone } from '../../../support/workspace/factories.js';
import { pooledPhone } from '../../../support/workspace/phone-number-pool.js';

const { api, workspace, otherWorkspace } = useApi();

/** Asks as an admin; `path` follows that of the workspace's phone numbers. */
const asAdmin = (method: string, path: string | number, body?: unknown, of = workspace) =>
  api.request(method, of.path(`/phone-numbers${path === '' ? '' : `/${path}`}`), {
    apiKey: of.admin.apiKey,
    ...(body === undefined ? {} : { body }),
  });
const add = (body: object, of = workspace) => asAdmin('POST', '', { name: 'Desk', ...body }, of);

async function newNumber(values: object = {}) {
  const answer = await add({ number: await pooledPhone(workspace.database), ...values });
  expect(answer.status).toBe(201);
  return answer.body;
}

const route = (number: string) => workspace.database.identity.phoneNumberRoutes.find(number);

describe('adding a phone number', () => {
  it('normalises the number and routes inbound messages to the workspace', async () => {
    const number = await pooledPhone(workspace.database);
    const written = `(${number.slice(2, 5)}) ${number.slice(5, 8)}-${number.slice(8)}`;

    const { status, body } = await add({ number: written });

    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      uuid: expect.any(String),
      number,
      name: 'Desk',
      smsEnabled: true,
      mmsEnabled: false,
      voiceEnabled: true,
      inboundWorkflowId: null,
      segmentsPerSecond: null,
      businessHours: null,
      greeting: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const { workspaceId } = workspace;
    expect(await route(number)).toEqual({ number, workspaceId, phoneNumberId: body.id });
  });

  it('accepts a workflow for inbound messages', async () => {
    const { id } = await createWorkflowDefinition(workspace.context(), { name: 'Intake' });
    expect(await newNumber({ inboundWorkflowId: id, voiceEnabled: false })).toMatchObject({
      inboundWorkflowId: id,
      voiceEnabled: false,
    });
  });

  it.each([
    ['no number', { name: 'Desk' }, '/number'],
    ['no name', { number: '+12015550100' }, '/name'],
    ['a number that is none', { number: '12 apples', name: 'Desk' }, '/number'],
    ['an unknown field', { number: '+12015550100', name: 'Desk', colour: 'red' }, '/colour'],
    ['a flag of words', { number: '+12015550100', name: 'Desk', smsEnabled: 'yes' }, '/smsEnabled'],
  ])('refuses %s', async (_, body, pointer) => {
    expectRefused(await asAdmin('POST', '', body), pointer);
  });

  it('refuses an archived workflow and one of another workspace', async () => {
    const archived = await createWorkflowDefinition(workspace.context(), { name: 'Old' });
    await archiveWorkflowDefinition(workspace.context(), archived.id);
    const foreign = await createWorkflowDefinition(otherWorkspace.context(), { name: 'Theirs' });

    for (const { id } of [archived, foreign]) {
      const body = { number: uniquePhone(), inboundWorkflowId: id };
      expectRefused(await add(body), '/inboundWorkflowId');
    }
  });

  it('refuses a number in use without revealing the other workspace', async () => {
    const { number } = await newNumber();

    const here = await add({ number });
    const elsewhere = await add({ number }, otherWorkspace);

    expectRefused(here, '/number');
    expectRefused(elsewhere, '/number');
    expect(elsewhere.body.detail).toBe(here.body.detail);
    expect((await asAdmin('GET', '', undefined, otherWorkspace)).body.total).toBe(0);
  });

  it('gives a number to one of several workspaces that request it at once', async () => {
    const number = await pooledPhone(workspace.database);
    const owners = [workspace, otherWorkspace, await createWorkspace(workspace.database)];

    const answers = await Promise.all(owners.map((owner) => add({ number }, owner)));

    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 400, 400]);
  });
});

describe('changing a phone number', () => {
  it('changes only the given fields', async () => {
    const { id, number } = await newNumber({ smsEnabled: false });

    const changes = { name: 'Night desk', voiceEnabled: false };
    const answer = await asAdmin('PUT', id, changes);

    expect(answer).toMatchObject({ status: 200, body: { id, number, smsEnabled: false, ...changes } });
  });

  it.each([
    ['the number itself, because chats depend on it', { number: '+12015550100' }, '/number'],
    ['an unknown workflow', { inboundWorkflowId: 999_999_999 }, '/inboundWorkflowId'],
  ])('refuses %s', async (_, changes, pointer) => {
    const { id } = await newNumber();
    expectRefused(await asAdmin('PUT', id, changes), pointer);
  });
});

describe('deleting a phone number', () => {
  it('makes the number available to other workspaces', async () => {
    const { id, number } = await newNumber();
    const values = { name: 'Intake', defaultPhoneNumberId: id };
    const definition = await createWorkflowDefinition(workspace.context(), values);

    expect((await asAdmin('DELETE', id)).status).toBe(204);

    expect((await asAdmin('GET', id)).status).toBe(404);
    expect(await route(number)).toBeUndefined();
    expect((await add({ number }, otherWorkspace)).status).toBe(201);
    const { rows } = await workspace.within((tx) =>
      tx.raw('select default_phone_number_id from workflow_definitions where id = ?', [definition.id]),
    );
    expect(Object.values(rows[0])).toEqual([null]);
  });

  it('returns 409 while chats use the number', async () => {
    const { id, number } = await newNumber();
    await workspace.within((tx) =>
      tx.raw(
        `insert into chats (workspace_id, channel, chat_type, member_id, phone_number_id)
         values (?, 'phone-sms', 'support', ?, ?)`,
        [workspace.workspaceId, workspace.member.memberId, id],
      ),
    );

    const answer = await asAdmin('DELETE', id);

    expect(answer).toMatchObject({ status: 409, body: { code: 'phone_number_in_use' } });
    expect(await route(number)).toMatchObject({ phoneNumberId: id });
  });
});

it('lists phone numbers by parts of name or number', async () => {
  const own = await createWorkspace(workspace.database);
  const first = await pooledPhone(workspace.database);
  const second = await pooledPhone(workspace.database);
  await add({ number: first, name: 'Night desk' }, own);
  await add({ number: second, name: 'Day desk' }, own);
  const found = async (search: string) => {
    const { apiKey } = own.member;
    const answer = await api.request('GET', own.path('/phone-numbers'), { apiKey, query: { search } });
    return answer.body.items.map((item: { number: string }) => item.number);
  };

  expect(await found('DESK')).toEqual([second, first]);
  expect(await found(first.slice(2))).toEqual([first]);
  expect(await found('_')).toEqual([]);
});

describe('access to phone numbers', () => {
  let path: string;
  beforeAll(async () => {
    path = `/phone-numbers/${(await newNumber()).id}`;
  });
  const read = { scope: 'phone_numbers:read', needsPermission: false } as const;
  const write = { scope: 'phone_numbers:write', needsPermission: true } as const;
  const body = { number: '+12015550100', name: 'Desk' };

  describeAccess({ api, workspace, otherWorkspace }, ['list', 'create', 'get', 'update', 'delete'], () => [
    { ...read, method: 'GET', path: '/phone-numbers', namesItem: false },
    { ...write, method: 'POST', path: '/phone-numbers', body, namesItem: false },
    { ...read, method: 'GET', path, namesItem: true },
    { ...write, method: 'PUT', path, body: { name: 'x' }, namesItem: true },
    { ...write, method: 'DELETE', path, namesItem: true },
  ]);
});
function expectRefused(answer: Awaited<ReturnType<typeof asAdmin>>, ...pointers: string[]): void {
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  expect(pointersOf(answer.body)).toEqual(pointers);
}

describe('the pace of a phone number', () => {
  it('has business hours and a greeting, until it has none', async () => {
    const greeting = 'This is {{ workspace.name }}.';
    const given = {
      windows: [{ from: '08:00', to: '17:00', days: ['friday', 'monday'] }],
      closedText: 'Later.',
    };
    const { id, ...made } = await newNumber({ greeting, businessHours: given });
    const businessHours = {
      windows: [{ from: '08:00', to: '17:00', days: ['monday', 'friday'] }],
      ...{ closedDates: [], outside: 'closed', closedText: 'Later.' },
    };
    expect(made).toMatchObject({ greeting, businessHours });
    const change = (body: object) => asAdmin('PUT', id, body);
    expect((await change({ name: 'Desk' })).body).toMatchObject({ greeting, businessHours });
    const none = { windows: [], closedDates: ['2030-12-25'], outside: 'agent', closedText: null };
    expect((await change({ businessHours: none })).body.businessHours).toEqual(none);
    expect((await change({ businessHours: null, greeting: null })).body).toMatchObject({
      businessHours: null,
      greeting: null,
    });
  });

  it.each([
    [{ greeting: 'Hello {{ member.name }}' }, '/greeting'],
    [{ businessHours: { windows: [], closedText: '{{ member.name }}' } }, '/businessHours/closedText'],
    [{ businessHours: { windows: [], closedDates: ['2030-02-30'] } }, '/businessHours/closedDates/0'],
    [{ businessHours: { windows: [{ from: '8:00', to: '17:00' }] } }, '/businessHours/windows/0/from'],
  ])('refuses %j', async (body, pointer) => {
    const { id } = await newNumber({});
    const changed = await asAdmin('PUT', id, body);
    expect([changed.status, changed.body.errors?.[0]?.pointer]).toEqual([400, pointer]);
  });

  it('is set, changed and taken away', async () => {
    const { id, segmentsPerSecond } = await newNumber({ segmentsPerSecond: 10 });
    expect(segmentsPerSecond).toBe(10);
    const change = (value: unknown) => asAdmin('PUT', id, { segmentsPerSecond: value });
    expect((await change(0.5)).body.segmentsPerSecond).toBe(0.5);
    expect((await asAdmin('PUT', id, { name: 'Desk' })).body.segmentsPerSecond).toBe(0.5);
    expect((await change(null)).body.segmentsPerSecond).toBeNull();
    for (const refused of [0, -1, 1_001, '3']) expect((await change(refused)).status).toBe(400);
  });
});
