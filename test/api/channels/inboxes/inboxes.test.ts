import { beforeAll, describe, expect, it } from 'vitest';
import { findInbox } from '../../../../db/channels/inboxes.js';
import { insertChat } from '../../../../db/conversations/chats.js';
import { isInboundSecret } from '../../../../domain/channels/inboxes/inbox-secret.js';
import { readPassword } from '../../../../domain/channels/inboxes/smtp-settings.js';
import { createWorkflowDefinition } from '../../../../domain/definitions/workflow-definitions/create-workflow-definition.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { createWorkspace } from '../../../support/workspace/factories.js';
import { addInbox, testInboxPolicy, uniqueInboxAddress } from '../../../support/workspace/inboxes.js';

const { api, workspace, otherWorkspace } = useApi();

const asAdmin = (method: string, path: string | number, body?: unknown, of = workspace) =>
  api.request(method, of.path(`/inboxes${path === '' ? '' : `/${path}`}`), {
    apiKey: of.admin.apiKey,
    ...(body === undefined ? {} : { body }),
  });
const add = (body: object, of = workspace) => asAdmin('POST', '', { fromName: 'Desk', ...body }, of);
const stored = (id: number) =>
  workspace.within(async (tx) => {
    const inbox = await findInbox(tx, id);
    if (inbox === undefined) throw new Error('no inbox');
    return inbox;
  });

async function newInbox(values: object = {}) {
  const answer = await add({ address: uniqueInboxAddress(), ...values });
  expect(answer.status).toBe(201);
  return answer.body;
}

const smtp = { host: '127.0.0.1', port: 2525, security: 'none', user: 'desk', password: 'a secret' };
const ownAddress = () => uniqueInboxAddress().replace('inboxes.example', 'clinic.example');
const route = (address: string) => workspace.database.identity.inboxRoutes.find(address);

describe('creating an inbox', () => {
  it('stores the address in lower case and routes received mail to the workspace', async () => {
    const address = uniqueInboxAddress();

    const { status, body } = await add({ address: ` ${address.toUpperCase()} `, fromName: 'Front desk' });

    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      uuid: expect.any(String),
      address,
      fromName: 'Front desk',
      signature: '',
      assistantMemberId: null,
      workflowId: null,
      enabled: true,
      authservId: null,
      smtp: null,
      inboundSecret: expect.stringMatching(/^wes_in_[\w-]{43}$/),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const { workspaceId } = workspace;
    const routed = { address, inboxUuid: body.uuid, workspaceId, inboxId: body.id };
    expect(await route(address)).toEqual(routed);
    expect(await workspace.database.identity.inboxRoutes.findByUuid(body.uuid)).toEqual(routed);
  });

  it('accepts a mail server for an address that is not at the domain of the operator, and shows no password', async () => {
    const body = await newInbox({ address: ownAddress(), smtp, authservId: 'MX.clinic.example' });

    const { password, ...shown } = smtp;
    expect(body).toMatchObject({ smtp: shown, authservId: 'mx.clinic.example' });
    const answers = [body, (await asAdmin('GET', body.id)).body, (await asAdmin('GET', '')).body];
    expect(JSON.stringify(answers)).not.toContain(password);
    const inbox = await stored(body.id);
    expect(inbox.smtpPassword?.includes(password)).toBe(false);
    expect(readPassword(testEncryption, inbox, inbox.smtpPassword ?? Buffer.of())).toBe(password);
    expect(() =>
      readPassword(
        testEncryption,
        { ...inbox, workspaceId: inbox.workspaceId + 1 },
        inbox.smtpPassword ?? Buffer.of(),
      ),
    ).toThrow();
  });

  it('shows the mail server only to members who may change inboxes', async () => {
    const { id } = await newInbox({ address: ownAddress(), smtp });
    const { apiKey } = workspace.member;

    const answer = await api.request('GET', workspace.path(`/inboxes/${id}`), { apiKey });

    expect(answer.status).toBe(200);
    for (const hidden of ['smtp', 'authservId']) expect(answer.body).not.toHaveProperty(hidden);
  });

  it.each([
    ['no address', { address: undefined }, '/address'],
    ['no name', { fromName: undefined }, '/fromName'],
    ['an address that is none', { address: 'front desk' }, '/address'],
    ['a second line in the address', { address: 'a@inboxes.example\r\nBcc: b@c.example' }, '/address'],
    ['a plus sign, which tokens follow', { address: 'a+b@inboxes.example' }, '/address'],
    ['no room for a token', { address: `${'a'.repeat(33)}@inboxes.example` }, '/address'],
    ['an address of the operator', { address: 'postmaster@inboxes.example' }, '/address'],
    ['the sender of sign-in codes', { address: 'login@inboxes.example' }, '/address'],
    ['another domain without a mail server', { address: 'desk@clinic.example' }, '/smtp'],
    ['a subdomain without a mail server', { address: 'desk@a.inboxes.example' }, '/smtp'],
    ['a second line in the name', { fromName: 'Desk\r\nBcc: b@c.example' }, '/fromName'],
    ['an address in the name', { fromName: 'Real Bank <bank@bank.example>' }, '/fromName'],
    ['a wide address in the name', { fromName: 'Bank＠bank.example' }, '/fromName'],
    ['an unknown workflow', { workflowId: 999_999_999 }, '/workflowId'],
    ['an unknown assistant', { assistantMemberId: 999_999_999 }, '/assistantMemberId'],
    ['a member as assistant', { assistantMemberId: 'member' }, '/assistantMemberId'],
    ['a private host', { smtp: { ...smtp, host: '10.0.0.1' } }, '/smtp/host'],
    ['a private host in other words', { smtp: { ...smtp, host: '0x0a.1' } }, '/smtp/host'],
    ['a password without a user', { smtp: { ...smtp, user: undefined } }, '/smtp/user'],
    ['a user without a password', { smtp: { ...smtp, password: undefined } }, '/smtp/password'],
  ])('refuses %s', async (_, values, pointer) => {
    const given =
      'assistantMemberId' in values && values.assistantMemberId === 'member'
        ? { assistantMemberId: workspace.member.memberId }
        : values;
    expectRefused(await add({ address: uniqueInboxAddress(), ...given }), pointer);
  });

  it('refuses an address in use without revealing the other workspace', async () => {
    const { address } = await newInbox();

    const here = await add({ address });
    const elsewhere = await add({ address: address.toUpperCase() }, otherWorkspace);

    expectRefused(here, '/address');
    expectRefused(elsewhere, '/address');
    expect(elsewhere.body.detail).toBe(here.body.detail);
  });

  it('gives an address to one of several workspaces that request it at once', async () => {
    const address = uniqueInboxAddress();
    const owners = [workspace, otherWorkspace, await createWorkspace(workspace.database), workspace];

    const answers = await Promise.all(owners.map((owner) => add({ address }, owner)));

    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 400, 400, 400]);
  });

  it('stops at a hundred inboxes', async () => {
    const full = await createWorkspace(workspace.database);
    await workspace.database.inWorkspace(full.workspaceId, (tx) =>
      tx.raw(
        `insert into inboxes (workspace_id, address, from_name, inbound_secret_hash)
         select ?, 'n' || n || '@full.example', 'n', '\\x00' from generate_series(1, 100) n`,
        [full.workspaceId],
      ),
    );

    const answer = await add({ address: uniqueInboxAddress() }, full);

    expect(answer).toMatchObject({ status: 409, body: { code: 'too_many_inboxes' } });

    // Disabled ones do not count, and are enabled again only where there is room.
    const [disabled] = await workspace.database.inWorkspace(full.workspaceId, (tx) =>
      tx('inboxes').where({ address: 'n1@full.example' }).update({ enabled: false }).returning('id'),
    );
    expect(await add({ address: uniqueInboxAddress() }, full)).toMatchObject({ status: 201 });
    const again = await asAdmin('PUT', disabled.id, { enabled: true }, full);
    expect(again).toMatchObject({ status: 409, body: { code: 'too_many_inboxes' } });
  });
});

describe('in production', () => {
  const strict = useApi({ inboxPolicy: { ...testInboxPolicy, allowsUnencrypted: false } });

  it.each([
    ['a server without encryption', { ...smtp, port: 587 }, '/smtp/security'],
    ['a port of no mail server', { ...smtp, security: 'tls', port: 6379 }, '/smtp/port'],
  ])('refuses %s', async (_, server, pointer) => {
    const { status, body } = await strict.asAdmin('POST', '/inboxes', {
      address: ownAddress(),
      fromName: 'Desk',
      smtp: server,
    });
    expect(status).toBe(400);
    expect(pointersOf(body)).toEqual([pointer]);
  });
});

describe('changing an inbox', () => {
  it('changes only the given fields, and keeps the password of the same server', async () => {
    const { id, address } = await newInbox({ address: ownAddress(), smtp, signature: 'Yours' });
    const { password, ...same } = smtp;

    const changes = { fromName: 'Night desk', enabled: false };
    const answer = await asAdmin('PUT', id, { ...changes, smtp: same });

    expect(answer).toMatchObject({ status: 200, body: { id, address, signature: 'Yours', ...changes } });
    const inbox = await stored(id);
    expect(readPassword(testEncryption, inbox, inbox.smtpPassword ?? Buffer.of())).toBe(password);
  });

  it.each([
    ['host', { host: '127.0.0.2' }],
    ['port', { port: 2526 }],
    ['user', { user: 'other' }],
  ])('does not hand the stored password to another %s', async (_, changes) => {
    const { id } = await newInbox({ address: ownAddress(), smtp });
    const { password: _password, ...same } = smtp;
    expectRefused(await asAdmin('PUT', id, { smtp: { ...same, ...changes } }), '/smtp/password');
  });

  it('goes back to the relay only at the domain of the operator', async () => {
    const own = await newInbox({ address: ownAddress(), smtp });
    const relayed = await newInbox({ smtp });

    expectRefused(await asAdmin('PUT', own.id, { smtp: null }), '/smtp');
    expect(await asAdmin('PUT', relayed.id, { smtp: null })).toMatchObject({
      status: 200,
      body: { smtp: null },
    });
    expect((await stored(relayed.id)).smtpPassword).toBeNull();
  });

  it('refuses another address, because it stands in what was sent', async () => {
    const { id } = await newInbox();
    expectRefused(await asAdmin('PUT', id, { address: uniqueInboxAddress() }), '/address');
  });
});

it('rotates the secret, and accepts the one before for a day', async () => {
  const { id, inboundSecret: before } = await newInbox();

  const { status, body } = await asAdmin('POST', `${id}/rotate-secret`);

  expect(status).toBe(200);
  const inbox = await stored(id);
  const now = new Date();
  const later = new Date(now.getTime() + 25 * 3_600_000);
  expect(body.inboundSecret).not.toBe(before);
  expect(isInboundSecret(inbox, body.inboundSecret, later)).toBe(true);
  expect(isInboundSecret(inbox, before, now)).toBe(true);
  expect(isInboundSecret(inbox, before, later)).toBe(false);
  expect(isInboundSecret(inbox, 'wes_in_another', now)).toBe(false);
});

describe('deleting an inbox', () => {
  it('makes the address available to other workspaces', async () => {
    const { id, address } = await newInbox();

    expect((await asAdmin('DELETE', id)).status).toBe(204);

    expect((await asAdmin('GET', id)).status).toBe(404);
    expect(await route(address)).toBeUndefined();
    expect((await add({ address }, otherWorkspace)).status).toBe(201);
  });

  it('returns 409 while chats use the inbox', async () => {
    const { id, address } = await addInbox(workspace);
    await workspace.within((tx) =>
      insertChat(tx, {
        channel: 'email',
        chatType: 'simple',
        memberId: workspace.member.memberId,
        inboxId: id,
      }),
    );

    expect(await asAdmin('DELETE', id)).toMatchObject({ status: 409, body: { code: 'inbox_in_use' } });
    expect(await route(address)).toMatchObject({ inboxId: id });
  });
});

it('lists inboxes by parts of address or name', async () => {
  const own = await createWorkspace(workspace.database);
  const first = await addInbox(own, { fromName: 'Night desk' });
  const second = await addInbox(own, { fromName: 'Day desk' });
  const found = async (search: string) => {
    const query = { search, sortBy: 'createdAt' };
    const { apiKey } = own.member;
    const answer = await api.request('GET', own.path('/inboxes'), { apiKey, query });
    return answer.body.items.map(({ id }: { id: number }) => id);
  };

  expect(await found('DESK')).toEqual([first.id, second.id]);
  expect(await found(second.address.slice(0, 10))).toEqual([second.id]);
  expect(await found('_')).toEqual([]);
});

it('uses the workflow and the assistant of the workspace only', async () => {
  const { id } = await createWorkflowDefinition(workspace.context(), { name: 'Intake' });
  const foreign = await createWorkflowDefinition(otherWorkspace.context(), { name: 'Theirs' });

  expect(await newInbox({ workflowId: id })).toMatchObject({ workflowId: id });
  expectRefused(await add({ address: uniqueInboxAddress(), workflowId: foreign.id }), '/workflowId');
});

describe('access to inboxes', () => {
  let path: string;
  beforeAll(async () => {
    path = `/inboxes/${(await newInbox()).id}`;
  });
  const read = { scope: 'inboxes:read', needsPermission: false } as const;
  const write = { scope: 'inboxes:write', needsPermission: true } as const;
  const body = { address: 'access@inboxes.example', fromName: 'Desk' };

  describeAccess(
    { api, workspace, otherWorkspace },
    ['list', 'create', 'get', 'update', 'rotate the secret', 'delete'],
    () => [
      { ...read, method: 'GET', path: '/inboxes', namesItem: false },
      { ...write, method: 'POST', path: '/inboxes', body, namesItem: false },
      { ...read, method: 'GET', path, namesItem: true },
      { ...write, method: 'PUT', path, body: { fromName: 'x' }, namesItem: true },
      { ...write, method: 'POST', path: `${path}/rotate-secret`, namesItem: true },
      { ...write, method: 'DELETE', path, namesItem: true },
    ],
  );
});

function expectRefused(answer: Awaited<ReturnType<typeof asAdmin>>, ...pointers: string[]): void {
  expect(answer.status).toBe(400);
  expect(pointersOf(answer.body)).toEqual(pointers);
}
