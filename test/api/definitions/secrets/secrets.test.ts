import { beforeAll, describe, expect, it } from 'vitest';
import { selectSecrets } from '../../../../db/definitions/secrets.js';
import { decryptSecret } from '../../../../domain/definitions/secrets/secret-values.js';
import { maxSecrets } from '../../../../domain/definitions/secrets/secrets.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { testEncryption } from '../../../support/lib/encryption.js';
import { createWorkspace, randomTag } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, asAdmin } = useApi();
const hosts = ['api.example.com'];
const nameOf = () => `s_${randomTag().replaceAll(/[^a-z0-9]/g, '')}`;
const create = (body: object = {}) =>
  asAdmin('POST', '/secrets', { name: nameOf(), value: 'sesame-open-0001', hosts, ...body });
let id: number;
beforeAll(async () => {
  ({ id } = (await create()).body);
});

const stored = (place = workspace) =>
  place.database.inWorkspace(place.workspaceId, async (tx) =>
    (await selectSecrets(tx)).map((row) => ({ ...row, value: decryptSecret(tx, testEncryption, row) })),
  );

const item = { scope: 'workspace:write', needsPermission: true, namesItem: true } as const;
describeAccess(
  { api, workspace, otherWorkspace },
  ['GET secrets', 'POST secrets', 'GET a secret', 'PUT a secret', 'DELETE a secret'],
  () => [
    { ...item, method: 'GET', path: '/secrets', namesItem: false },
    {
      ...item,
      method: 'POST',
      path: '/secrets',
      body: { name: 'x', value: 'sesame-open-0001', hosts },
      namesItem: false,
    },
    { ...item, method: 'GET', path: `/secrets/${id}` },
    { ...item, method: 'PUT', path: `/secrets/${id}`, body: { value: 'sesame-open-0002' } },
    { ...item, method: 'DELETE', path: `/secrets/${id}` },
  ],
);

describe('secrets', () => {
  it('are stored encrypted, and no answer has the value', async () => {
    const name = nameOf();
    const value = 'never-shown-0001';
    const created = await create({ name, value });
    const answers = [
      created,
      await asAdmin('GET', '/secrets'),
      await asAdmin('GET', `/secrets/${created.body.id}`),
      await asAdmin('PUT', `/secrets/${created.body.id}`, { value: `${value}-again` }),
    ];

    expect(created).toMatchObject({ status: 201, body: { name, hosts, refusedAt: null } });
    expect(JSON.stringify(answers)).not.toContain(value);
    const rows = await workspace.within((tx) => selectSecrets(tx));
    expect(rows.map(({ ciphertext }) => ciphertext.toString('latin1')).join()).not.toContain(value);
    expect((await stored()).find((row) => row.name === name)?.value).toBe(`${value}-again`);
  });

  it.each([
    ['a short value', { value: 'short' }, '/value'],
    ['a value with a line break', { value: 'sesame-open\r\nHost: x' }, '/value'],
    ['a value with a letter that headers do not carry', { value: 'sésame-open-0001' }, '/value'],
    ['no host', { hosts: [] }, '/hosts'],
    ['a wildcard', { hosts: ['*.example.com'] }, '/hosts/0'],
    ['a host with a path', { hosts: ['api.example.com/v1'] }, '/hosts/0'],
    ['a host with a user', { hosts: ['a@api.example.com'] }, '/hosts/0'],
    ['a host in capitals', { hosts: ['API.example.com'] }, '/hosts/0'],
    ['the default port', { hosts: ['api.example.com:443'] }, '/hosts/0'],
    ['a host twice', { hosts: ['a.example.com', 'a.example.com'] }, '/hosts/1'],
    ['a name in capitals', { name: 'Token' }, '/name'],
  ])('refuse %s', async (_, body, pointer) => {
    const answer = await create(body);
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, [pointer]]);
  });

  it('have names of their own', async () => {
    const name = nameOf();
    await create({ name });
    expect(await create({ name })).toMatchObject({
      status: 400,
      body: { code: 'duplicate', errors: [{ pointer: '/name' }] },
    });
  });

  it('change hosts together with the value only', async () => {
    const answer = await asAdmin('PUT', `/secrets/${id}`, { hosts: ['evil.example'] });
    expect([answer.status, pointersOf(answer.body)]).toEqual([400, ['/value']]);
    const changed = await asAdmin('PUT', `/secrets/${id}`, {
      value: 'sesame-open-0003',
      hosts: ['b.example.com:8443'],
    });
    expect(changed).toMatchObject({ status: 200, body: { hosts: ['b.example.com:8443'] } });
  });

  it('name the workflows in use whose requests carry them', async () => {
    const { body: secret } = await create();
    const request = {
      name: 'find_times',
      description: 'Finds free times.',
      method: 'GET',
      url: 'https://api.example.com/times',
      headers: [{ name: 'Authorization', secret: secret.name, prefix: 'Bearer ' }],
    };
    const rootTask = {
      name: 'Book',
      taskType: 'conversation',
      prompt: 'Find a time.',
      abilities: [
        { abilityType: 'conclude' },
        { abilityType: 'http_request', config: { requests: [request] } },
      ],
    };
    const { body: workflow } = await asAdmin('POST', '/workflows', { name: 'Booking' });
    const read = async () => (await asAdmin('GET', `/secrets/${secret.id}`)).body.workflows;
    const revisions = `/workflows/${workflow.id}/revisions`;
    const revision = await asAdmin('POST', revisions, { rootTask });
    expect(await read()).toEqual([]);
    await asAdmin('POST', `${revisions}/${revision.body.id}/publish`, { activate: true });
    expect(await read()).toEqual([{ id: workflow.id, name: 'Booking' }]);
    expect((await asAdmin('GET', '/secrets')).body[0].workflows).toBeUndefined();
  });

  it('are gone once deleted', async () => {
    const { body } = await create();
    expect((await asAdmin('DELETE', `/secrets/${body.id}`)).status).toBe(204);
    expect((await asAdmin('DELETE', `/secrets/${body.id}`)).status).toBe(404);
    expect((await asAdmin('PUT', `/secrets/${body.id}`, { value: 'sesame-open-0001' })).status).toBe(404);
  });

  it('cannot be decrypted in another place', async () => {
    const other = await createWorkspace(workspace.database);
    const [row] = await stored();
    await other.within(async (tx) => {
      expect(() => decryptSecret(tx, testEncryption, row as never)).toThrow('ciphertext_invalid');
    });
  });

  it('are at most a hundred', async () => {
    const place = await createWorkspace(workspace.database);
    const post = (name: string) =>
      api.request('POST', place.path('/secrets'), {
        apiKey: place.admin.apiKey,
        body: { name, value: 'sesame-open-0001', hosts },
      });
    for (let number = 0; number < maxSecrets; number += 1) {
      expect((await post(`s_${number}`)).status).toBe(201);
    }
    expect(await post('one_more')).toMatchObject({ status: 409, body: { code: 'too_many_secrets' } });
  });
});

describe('requestHosts of a workspace', () => {
  it('are exact hosts', async () => {
    const refused = await asAdmin('PUT', '', { requestHosts: ['api.example.com', 'https://b.example.com'] });
    expect([refused.status, pointersOf(refused.body)]).toEqual([400, ['/requestHosts/1']]);
    const body = { requestHosts: ['api.example.com', 'b.example.com:8443'] };
    expect(await asAdmin('PUT', '', body)).toMatchObject({ status: 200, body });
    expect((await asAdmin('GET', '')).body.requestHosts).toEqual(body.requestHosts);
  });
});
