import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Type from 'typebox';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { workspaceMember } from '../../../api/http/access.js';
import { apiPrefix } from '../../../api/http/app.js';
import { defineRoute } from '../../../api/http/define-route.js';
import { openApiDocument } from '../../../api/http/openapi.js';
import { objectKey } from '../../../domain/files/object-store.js';
import { admissionTerms } from '../../../domain/kernel/admissions.js';
import { createMember } from '../../../domain/people/members/create-member.js';
import { DiskStorage } from '../../../providers/storage/disk-storage.js';
import { useApi } from '../../support/api/use-api.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { addMember, createWorkspace, type TestMember } from '../../support/workspace/factories.js';

const folder = mkdtempSync(join(realpathSync(tmpdir()), 'wes-kept-'));
const storage = new DiskStorage(folder);
afterAll(() => rmSync(folder, { recursive: true }));

const maxBytes = 50 * 1_048_576;
const common = {
  method: 'POST',
  tag: 'Members',
  summary: 'A test',
  access: workspaceMember({ scope: 'members:write' }),
  consumes: 'multipart',
  file: { maxBytes, description: 'Anything', kept: true },
  body: Type.Object({ note: Type.Optional(Type.String({ maxLength: 20 })) }),
} as const;

/** The keys of what was stored. */
let stored: string[];
beforeEach(() => {
  stored = [];
});

const keep = defineRoute({
  ...common,
  operationId: 'keepFile',
  path: '/w/{workspace_uuid}/kept/{thing_id}',
  response: {
    status: 201,
    schema: Type.Object({ id: Type.Integer(), key: Type.String(), bytes: Type.Integer() }),
  },
  prepare: async ({ context, params, body, file, services }) => {
    expect([params.thing_id, body.note ?? 'a note', dirname(file.path)]).toEqual([
      7,
      'a note',
      storage.spoolFolder,
    ]);
    const key = objectKey(context.actor.workspaceUuid, randomUUID());
    await services.storage.put(key, file, { mimeType: 'text/plain' });
    stored.push(key);
    return { key };
  },
  handler: async ({ context, file, prepared }) => {
    const { id } = await createMember(context, { name: 'Robin Sample' });
    return { id, key: prepared.key, bytes: file.bytes };
  },
});

const fail = defineRoute({
  ...common,
  operationId: 'failWithFile',
  path: '/w/{workspace_uuid}/failures',
  response: { status: 204 },
  handler: async ({ file }) => {
    expect(file.sha256).toBe(createHash('sha256').update('content').digest('hex'));
    throw new Error('the handler crashed');
  },
});

const { api, workspace, otherWorkspace } = useApi({ routes: [keep, fail], storage });

function formOf(
  content: string | Uint8Array<ArrayBuffer>,
  { name = 'notes.txt', note }: { name?: string; note?: string } = {},
) {
  const form = new FormData();
  if (note !== undefined) form.append('note', note);
  form.append('file', new Blob([content]), name);
  return form;
}
const send = (multipart: FormData, headers: Record<string, string> = {}, path = '/kept/7') =>
  api.request('POST', workspace.path(path), { apiKey: workspace.admin.apiKey, multipart, headers });
const spooled = () => readdir(storage.spoolFolder);
const nothingSpooled = () => waitFor('nothing is spooled', async () => (await spooled()).length === 0);
const contentOf = async (key: string) => {
  const chunks: Buffer[] = [];
  for await (const chunk of await storage.get(key)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};
const keyed = (key: string) => ({ 'Idempotency-Key': key });

describe('a file that is kept', () => {
  it('is received into the spool folder of the storage, and becomes an object', async () => {
    const answer = await send(formOf('content', { note: 'a note' }));
    expect(answer).toMatchObject({ status: 201, body: { bytes: 7 } });
    expect((await contentOf(answer.body.key)).toString()).toBe('content');
    expect(await spooled()).toEqual([]);
  });

  it('of the maximum size is received whole', async () => {
    const content = Buffer.alloc(maxBytes, 'bytes of a large file, ');
    const answer = await send(formOf(content));
    expect(answer).toMatchObject({ status: 201, body: { bytes: maxBytes } });
    expect((await contentOf(answer.body.key)).equals(content)).toBe(true);
  });

  it.each(['../../etc/passwd', '..', '/etc/passwd', 'a\\b', 'קובץ.txt', ''])(
    'never has the name of a path: %j',
    async (name) => {
      expect((await send(formOf('content', { name }))).status).toBe(201);
      expect(await readdir(folder)).toEqual(['objects', 'spool']);
      expect(await spooled()).toEqual([]);
    },
  );

  it('is removed when the handler fails', async () => {
    expect((await send(formOf('content'), {}, '/failures')).status).toBe(500);
    await nothingSpooled();
  });

  it('is removed when a field is invalid, and never prepared', async () => {
    expect((await send(formOf('content', { note: 'x'.repeat(21) }))).status).toBe(400);
    await nothingSpooled();
    expect(stored).toEqual([]);
  });

  it('is removed when its sender disconnects', async () => {
    const socket = await open(workspace.admin, 1_000_000);
    socket.write('x'.repeat(500_000));
    await waitFor('some of it is there', async () => (await spooled()).length === 1);
    socket.destroy();
    await nothingSpooled();
  });

  it('of 51 MB is refused before it is read', async () => {
    const socket = await open(workspace.admin, 51 * 1_048_576 + 100_000);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 413 .*body_too_large/s);
    expect(await spooled()).toEqual([]);
    socket.destroy();

    const answer = await send(formOf(Buffer.alloc(51 * 1_048_576)));
    expect(answer).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
    expect(await spooled()).toEqual([]);
  });

  it('is not read without a credential', async () => {
    const answer = await api.request('POST', workspace.path('/kept/7'), { multipart: formOf('content') });
    expect(answer.status).toBe(401);
    expect(await spooled()).toEqual([]);
  });
});

describe('an upload under an Idempotency-Key', () => {
  it('is carried out once', async () => {
    const headers = keyed(randomUUID());
    const first = await send(formOf('content', { note: 'a note' }), headers);
    const second = await send(formOf('content', { note: 'a note' }), headers);

    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    // The repetition stored the bytes again, before it was recognised: the collector deletes what no row has.
    expect(stored).toHaveLength(2);
    await nothingSpooled();
  });

  it.each([
    ['other bytes of the same length', () => formOf('Content')],
    ['another name', () => formOf('content', { name: 'other.txt' })],
    ['another field', () => formOf('content', { note: 'a note' })],
  ])('is refused with %s', async (_, other) => {
    const headers = keyed(randomUUID());
    expect((await send(formOf('content'), headers)).status).toBe(201);
    const refused = await send(other(), headers);
    expect(refused).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  it('is carried out once when two come at once', async () => {
    const headers = keyed(randomUUID());
    const answers = await Promise.all([1, 2].map(() => send(formOf('content'), headers)));
    const done = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
    expect(new Set(done).size).toBe(1);
    for (const { status, body } of answers)
      if (status !== 201) expect(body.code).toBe('idempotency_key_in_use');
  });
});

/** A client that has sent the head of an upload, and the beginning of its file. */
async function open(
  { apiKey }: Pick<TestMember, 'apiKey'>,
  length: number,
  place = workspace,
): Promise<Socket> {
  const socket = connect(Number(new URL(api.baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const head = [
    `POST ${apiPrefix}${place.path('/kept/7')} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${apiKey}`,
    `Content-Length: ${length}`,
    'Content-Type: multipart/form-data; boundary=b',
  ];
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
  socket.write(`${head.join('\r\n')}\r\n\r\n${part}`);
  return socket;
}

describe('uploads at once', () => {
  const started = (count: number) =>
    waitFor('they have begun', async () => (await spooled()).length === count);
  const begin = async (member: TestMember, before: number, place = workspace) => {
    const socket = await open(member, 1_000, place);
    socket.write('x');
    await started(before + 1);
    return socket;
  };

  it('are bounded by member and by workspace, and leave other workspaces alone', async () => {
    const colleague = await addMember(workspace, { role: workspace.roles.admin });
    const third = await addMember(workspace, { role: workspace.roles.admin });
    const sockets: Socket[] = [];
    const { member: ofCaller, workspace: ofWorkspace } = admissionTerms.uploads.each;
    for (let count = 0; count < ofCaller; count += 1)
      sockets.push(await begin(workspace.admin, sockets.length));

    const refused = await send(formOf('content'));
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_uploads' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

    while (sockets.length < ofWorkspace) sockets.push(await begin(colleague, sockets.length));
    const sendAs = ({ apiKey }: TestMember, place: typeof workspace) =>
      api.request('POST', place.path('/kept/7'), { apiKey, multipart: formOf('content') });
    expect(await sendAs(third, workspace)).toMatchObject({ status: 429, body: { code: 'too_many_uploads' } });
    expect((await sendAs(otherWorkspace.admin, otherWorkspace)).status).toBe(201);

    for (const socket of sockets) socket.destroy();
    await nothingSpooled();
    expect((await send(formOf('content'))).status).toBe(201);
  });

  it('do not wait for each other, as their bytes are on disk', async () => {
    const other = await createWorkspace(workspace.database);
    const sockets = [await begin(other.admin, 0, other), await begin(other.admin, 1, other)];
    expect((await send(formOf(Buffer.alloc(1_048_576)))).status).toBe(201);
    for (const socket of sockets) socket.destroy();
    await nothingSpooled();
  });
});

describe('the OpenAPI document', () => {
  it('says that an upload takes an Idempotency-Key, and a binary file', () => {
    const { paths, components } = openApiDocument([keep]);
    const operation = paths['/w/{workspace_uuid}/kept/{thing_id}']?.post;
    expect(operation?.parameters).toContainEqual(expect.objectContaining({ name: 'Idempotency-Key' }));
    expect(operation?.responses).toMatchObject({ 409: {}, 413: {}, 415: {}, 422: {}, 429: {} });
    expect(components.schemas.KeepFileRequest).toMatchObject({
      properties: { file: { type: 'string', format: 'binary' } },
    });
  });
});
