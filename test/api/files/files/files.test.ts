import { beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../../../domain/kernel/scopes.js';
import { describeAccess } from '../../../support/api/access-cases.js';
import { pointersOf } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { statementsOf } from '../../../support/db/statements-of.js';
import { formWith, type SentFile, sendFile } from '../../../support/files/send-file.js';
import { randomTag } from '../../../support/workspace/factories.js';

const { api, workspace, otherWorkspace, asAdmin, asMember } = useApi();

const send = (sent: SentFile = {}) => sendFile(api, workspace, sent);
const newFile = async (sent: SentFile = {}) => (await send(sent)).body;

let seen: { id: number };
let folder: { id: number };
let link: { uuid: string };
beforeAll(async () => {
  seen = await newFile({ fields: { access: 'workspace' } });
  folder = (await asAdmin('POST', '/folders', { name: 'Leaflets', access: 'workspace' })).body;
  link = (await asAdmin('POST', `/files/${seen.id}/shares`, {})).body;
});

describeAccess(
  { api, workspace, otherWorkspace },
  [
    'list',
    'upload into a folder of another',
    'get',
    'update',
    'delete',
    'download',
    'versions',
    'upload of a version',
    'restore',
    'reindex',
    'share',
    'links',
    'revoke',
  ],
  () => {
    const reading = { scope: 'files:read' as Scope, needsPermission: false };
    const writing = { scope: 'files:write' as Scope, needsPermission: true };
    const one = `/files/${seen.id}`;
    return [
      { method: 'GET', path: '/files', ...reading, namesItem: false },
      {
        method: 'POST',
        path: '/files',
        multipart: formWith({ fields: { folderId: String(folder.id) } }),
        ...writing,
        namesItem: false,
      },
      { method: 'GET', path: one, ...reading, namesItem: true },
      { method: 'PUT', path: one, body: { title: 'Other' }, ...writing, namesItem: true },
      { method: 'DELETE', path: one, ...writing, namesItem: true },
      { method: 'GET', path: `${one}/download`, ...reading, namesItem: true },
      { method: 'GET', path: `${one}/versions`, ...reading, namesItem: true },
      { method: 'POST', path: `${one}/versions`, multipart: formWith({}), ...writing, namesItem: true },
      { method: 'POST', path: `${one}/versions/1/restore`, ...writing, namesItem: true },
      { method: 'POST', path: `${one}/reindex`, served: 202, ...writing, namesItem: true },
      { method: 'POST', path: `${one}/shares`, body: {}, ...writing, namesItem: true },
      { method: 'GET', path: `${one}/shares`, ...writing, namesItem: true },
      { method: 'DELETE', path: `${one}/shares/${link.uuid}`, ...writing, namesItem: true },
    ];
  },
);

describe('an uploaded file', () => {
  it('has its fields, and its bytes are downloaded', async () => {
    const answer = await send({ by: workspace.member, fields: { name: 'After a visit' } });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        title: 'After a visit',
        filename: 'leaflet.txt',
        mimeType: 'text/plain',
        fileSize: 19,
        access: 'private',
        accessMode: 0,
        ownerId: workspace.member.memberId,
        permissions: 15,
        shareCount: 0,
        currentVersionNumber: 1,
      },
    });
    expect((await asMember('GET', `/files/${answer.body.id}`)).body).toEqual(answer.body);
    const url = workspace.path(`/files/${answer.body.id}/download`);
    expect((await api.request('GET', url, { apiKey: workspace.member.apiKey })).status).toBe(200);
  });

  it('is stored once under an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': randomTag() };
    const [first, second] = [await send({ headers }), await send({ headers })];
    expect(second).toMatchObject({ status: 201, body: { id: first.body.id } });
    expect((await send({ headers, content: 'Another text.' })).status).toBe(422);
  });

  it('is refused if it is of no known kind, or its folder is not there', async () => {
    const html = '<!doctype html><html><script>alert(1)</script></html>';
    const refused = await send({ content: html, filename: 'page.html' });
    expect(refused).toMatchObject({ status: 415, body: { code: 'unsupported_file_kind' } });
    const nowhere = await send({ fields: { folderId: '987654321' } });
    expect([nowhere.status, pointersOf(nowhere.body)]).toEqual([400, ['/folderId']]);
  });
});

it('a private file of another member is not found, and is read by the member it is attached for', async () => {
  const { id } = await newFile();
  for (const [method, path, body] of [
    ['GET', `/files/${id}`],
    ['PUT', `/files/${id}`, { title: 'Mine' }],
    ['DELETE', `/files/${id}`],
    ['GET', `/files/${id}/versions`],
    ['POST', `/files/${id}/reindex`],
    ['POST', `/files/${id}/shares`, {}],
  ] as const) {
    expect(await asMember(method, path, body)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  const chat = (await asMember('POST', '/chats', { channel: 'web-chat' })).body;
  await workspace.within((tx) =>
    tx('file_attachments').insert({
      workspace_id: workspace.workspaceId,
      file_id: id,
      chat_id: chat.id,
      member_id: workspace.member.memberId,
    }),
  );
  expect((await asMember('GET', `/files/${id}`)).body).toMatchObject({ permissions: 1 });
  expect((await asMember('PUT', `/files/${id}`, { title: 'Mine' })).status).toBe(403);
});

it.each<[method: string, path: string, body?: object]>([
  ['GET', ''],
  ['GET', '/download'],
  ['GET', '/versions'],
  ['GET', '/shares'],
  ['PUT', '', { title: 'Mine' }],
  ['DELETE', ''],
  ['POST', '/versions/1/restore'],
  ['POST', '/shares', {}],
])(
  'a member costs the same by %s %s, whether a file is private or does not exist',
  async (method, path, body) => {
    const statementsFor = (id: number) =>
      statementsOf(async () => {
        expect((await asMember(method, `/files/${id}${path}`, body)).status).toBe(404);
      });
    const { id } = await newFile();
    const missing = await statementsFor(987_654_321);
    expect(missing.length).toBeGreaterThan(1);
    expect(await statementsFor(id)).toEqual(missing);
  },
);

it('a change keeps omitted fields, and is refused from an older ETag', async () => {
  const file = await newFile();
  const path = workspace.path(`/files/${file.id}`);
  const { apiKey } = workspace.admin;
  const headers = { 'If-Match': (await api.request('GET', path, { apiKey })).headers.get('etag') ?? '' };
  const changed = await api.request('PUT', path, { apiKey, headers, body: { title: 'Second' } });
  expect(changed).toMatchObject({ status: 200, body: { title: 'Second', filename: 'leaflet.txt' } });
  expect((await api.request('PUT', path, { apiKey, headers, body: { title: 'Third' } })).status).toBe(412);
});

it('versions are uploaded, listed and restored', async () => {
  const { id } = await newFile();
  const second = await send({ path: `/files/${id}/versions`, content: 'Rest.' });
  expect(second).toMatchObject({ status: 201, body: { number: 2 } });
  expect((await asAdmin('POST', `/files/${id}/versions/1/restore`)).body).toMatchObject({ number: 3 });
  const { items } = (await asAdmin('GET', `/files/${id}/versions`)).body;
  expect(items).toMatchObject([{ number: 3, fileSize: 19 }, { number: 2, fileSize: 5 }, { number: 1 }]);
  expect((await asAdmin('POST', `/files/${id}/versions/9/restore`)).status).toBe(404);
});

it('the state of its indexing is shown, and its ETag does not depend on it', async () => {
  const file = await newFile();
  expect(file.indexing).toEqual({ state: 'pending', reason: null, pages: 0 });
  const { apiKey } = workspace.admin;
  const path = workspace.path(`/files/${file.id}`);
  const before = await api.request('GET', path, { apiKey });
  await workspace.within((tx) =>
    tx('file_versions').where({ file_id: file.id }).update({
      indexing_state: 'given_up',
      indexing_reason: 'memory',
      indexed_pages: 12,
    }),
  );
  const after = await api.request('GET', path, { apiKey });
  expect(after.body.indexing).toEqual({ state: 'given_up', reason: 'memory', pages: 12 });
  expect(after.headers.get('etag')).toBe(before.headers.get('etag'));

  const again = await asAdmin('POST', `/files/${file.id}/reindex`);
  expect(again).toMatchObject({
    status: 202,
    body: { indexing: { state: 'pending', reason: null, pages: 0 } },
  });
});

it('a link is counted until it is revoked, and its token is shown once', async () => {
  const { id } = await newFile();
  const link = await asAdmin('POST', `/files/${id}/shares`, {});
  expect(link).toMatchObject({
    status: 201,
    body: { token: expect.stringMatching(/^wsh_/), isInForce: true },
  });
  expect((await asAdmin('GET', `/files/${id}`)).body.shareCount).toBe(1);
  expect((await asAdmin('DELETE', `/files/${id}/shares/${link.body.uuid}`)).status).toBe(204);
  const { items } = (await asAdmin('GET', `/files/${id}/shares`)).body;
  expect(items).toMatchObject([{ uuid: link.body.uuid, isInForce: false }]);
  expect(items[0]).not.toHaveProperty('token');
  expect((await asAdmin('GET', `/files/${id}`)).body.shareCount).toBe(0);
});
