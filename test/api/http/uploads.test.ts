import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Type from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { publicAccess } from '../../../api/http/access.js';
import { apiPrefix } from '../../../api/http/app.js';
import { defineRoute } from '../../../api/http/define-route.js';
import { openApiDocument } from '../../../api/http/openapi.js';
import { Id } from '../../../api/http/schemas.js';
import { spoolPrefix } from '../../../api/http/uploads/uploaded-file.js';
import { admissionTerms } from '../../../domain/kernel/admissions.js';
import type { ApiResponse, RawBody } from '../../support/api/api.js';
import { useApiOn } from '../../support/api/use-api.js';
import { noDatabase } from '../../support/db/no-database.js';
import { waitFor } from '../../support/lib/wait-for.js';

const maxBytes = 200_000;
const Text = Type.Object({ text: Type.String() });
const common = {
  method: 'POST',
  tag: 'Health',
  summary: 'A test',
  access: publicAccess(),
  consumes: 'multipart',
  file: { maxBytes, description: 'Anything' },
} as const;

const takeFile = defineRoute({
  ...common,
  operationId: 'takeFile',
  path: '/files',
  body: Type.Object({
    roleId: Type.Optional(Id),
    isTest: Type.Optional(Type.Boolean()),
    note: Type.Optional(Type.String({ maxLength: 10 })),
  }),
  response: { status: 200, schema: Type.Object({ text: Type.String(), body: Type.Unknown() }) },
  handler: async ({ file, body }) => {
    expect(await uploads()).toHaveLength(1);
    const { path, name, bytes } = file;
    return { text: await readFile(path, 'latin1'), body: { ...body, name, bytes } };
  },
});

const fail = defineRoute({
  ...common,
  operationId: 'failWithFile',
  path: '/failures',
  response: { status: 204 },
  handler: async ({ file }) => {
    expect(await readFile(file.path, 'utf8')).toBe('content');
    throw new Error('the handler crashed');
  },
});

/** The chunk of the file that was read last, by a stream that continues after its client has disconnected. */
let lastRead: string | undefined;

const readSlowly = defineRoute({
  ...common,
  operationId: 'readSlowly',
  path: '/readings',
  response: { status: 200, stream: 'application/x-ndjson', schema: Text, description: 'What it holds' },
  handler: async ({ file, signal }) =>
    (async function* () {
      yield { text: '' };
      await once(signal, 'abort');
      lastRead = await readFile(file.path, 'utf8');
    })(),
});

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wes-folder-'));
  vi.stubEnv('TMPDIR', folder);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});
const api = useApiOn(() => noDatabase, { routes: [takeFile, fail, readSlowly] });
beforeEach(async () => expect(await uploads()).toEqual([]));

const uploads = async () => (await readdir(folder)).filter((name) => name.startsWith(spoolPrefix));

/** The spooled file is removed as soon as the response has ended. */
const nothingLeft = () => waitFor('nothing is left', async () => (await uploads()).length === 0);

function parts(...given: [name: string, value: string | Blob][]): FormData {
  const form = new FormData();
  for (const [name, value] of given) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, 'table.csv');
  }
  return form;
}
/** A file with this text, then these parts. */
const fileOf = (text: string, ...others: [name: string, value: string | Blob][]) =>
  parts(['file', new Blob([text])], ...others);

const send = (multipart: FormData, path = '/files'): Promise<ApiResponse<never>> =>
  api.request('POST', path, { multipart });

const boundary = 'a-boundary';
const filePart = (content: string, headers = '; filename="a.csv"\r\nContent-Type: text/csv') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="file"${headers}\r\n\r\n${content}\r\n`;
const end = `--${boundary}--\r\n`;

const multipart = `multipart/form-data; boundary=${boundary}`;
const sendRaw = (raw: RawBody, headers: Record<string, string> = {}) =>
  api.request('POST', '/files', { raw, headers: { 'Content-Type': multipart, ...headers } });

describe('an upload', () => {
  it('reaches the handler as a file with typed fields, and is removed afterwards', async () => {
    const content = Buffer.from(Array.from({ length: 150_000 }, (_, index) => index % 256));
    const answer = await send(parts(['roleId', '7'], ['isTest', 'true'], ['file', new Blob([content])]));

    expect(answer.body).toEqual({
      text: content.toString('latin1'),
      body: { roleId: 7, isTest: true, name: 'table.csv', bytes: 150_000 },
    });
    await nothingLeft();
  });

  it('accepts fields after the file, and an empty file', async () => {
    const answer = await send(fileOf('', ['note', 'late']));
    expect(answer.body).toMatchObject({ text: '', body: { note: 'late', bytes: 0 } });
  });

  it('is told apart from fields by its name, because clients omit media types and file names', async () => {
    const field = filePart('7', '\r\nContent-Type: text/plain').replace('file', 'roleId');
    const answer = await sendRaw(filePart('plain', '') + field + end);
    expect(answer.body).toMatchObject({ text: 'plain', body: { roleId: 7, name: null } });
  });

  it.each([
    ['a"b.csv', 'a%22b.csv'],
    ['קובץ עם רווח.csv', 'קובץ עם רווח.csv'],
    ['C:\\people\\list.csv', 'C:\\people\\list.csv'],
    ["50% of 'all'; really.csv", "50% of 'all'; really.csv"],
  ])('has the name that its sender gave: %s', async (name, sent) => {
    const answer = await sendRaw(filePart('x', `; filename="${sent}"\r\nContent-Type: text/csv`) + end);
    expect(answer.body).toMatchObject({ body: { name } });
  });

  it('keeps what looks like a boundary, wherever the pieces of the body are cut', async () => {
    const content = `\r\n--${boundary.slice(0, -1)}\r\n-${boundary}--`.repeat(3_000);
    const whole = Buffer.from(filePart(content) + end);
    for (const size of [1_000, 65_536]) {
      const pieces = new ReadableStream({
        start(controller) {
          for (let at = 0; at < whole.length; at += size) controller.enqueue(whole.subarray(at, at + size));
          controller.close();
        },
      });
      expect((await sendRaw(pieces)).body).toMatchObject({ body: { bytes: content.length } });
    }
  });

  it('accepts exactly the maximum size', async () => {
    const body = { body: { bytes: maxBytes } };
    expect(await send(fileOf('x'.repeat(maxBytes)))).toMatchObject({ status: 200, body });
  });

  it('is removed when the handler fails', async () => {
    expect(await send(fileOf('content'), '/failures')).toMatchObject({ status: 500 });
    await nothingLeft();
  });
});

describe('an invalid upload', () => {
  it.each([
    ['no file', parts(['roleId', '7']), '/file', 'is required'],
    ['nothing at all', parts(), '/file', 'is required'],
    ['two files', fileOf('a', ['file', new Blob(['b'])]), '/file', 'must be one file'],
    ['a file of another name', fileOf('a', ['more', new Blob(['b'])]), '/more', 'must not be a file'],
    ['an unknown field', fileOf('a', ['more', 'x']), '/more', 'is not a known field'],
    ['a field of the wrong type', fileOf('a', ['roleId', '0x7']), '/roleId', 'must be an integer'],
    ['a field twice', fileOf('a', ['note', 'a'], ['note', 'b']), '/note', 'must be a string'],
    ['a text too long', fileOf('a', ['note', 'x'.repeat(11)]), '/note', 'must have at most 10 characters'],
    [
      'a field __proto__',
      fileOf('a', ['__proto__', 'x']),
      '/__proto__',
      'is not a name that a field can have',
    ],
    ['a field too many', fileOf('content', ['note', 'a']), '/note', 'is not a known field', '/failures'],
  ])('returns 400 and leaves no file: %s', async (_, form, pointer, message, path = '/files') => {
    expect(await send(form, path)).toMatchObject({ status: 400, body: { errors: [{ pointer, message }] } });
    await nothingLeft();
  });

  it('returns 400 without a body', async () => {
    const errors = [{ pointer: '/file', message: 'is required' }];
    expect(await api.request('POST', '/files')).toMatchObject({ status: 400, body: { errors } });
  });

  it.each([
    ['JSON', { 'Content-Type': 'application/json' }],
    ['another multipart', { 'Content-Type': `multipart/related; boundary=${boundary}` }],
    ['what is compressed', { 'Content-Encoding': 'gzip' }],
  ])('returns 415 for %s', async (_, headers) => {
    const answer = await sendRaw(filePart('a') + end, headers);
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  it.each([
    ['no boundary', filePart('a') + end, 'multipart/form-data'],
    ['another boundary', filePart('a') + end, 'multipart/form-data; boundary=other'],
    ['no end', filePart('a'), multipart],
    ['a cut header', `--${boundary}\r\nContent-Disp`, multipart],
    ['a second file that is cut', `${filePart('a')}${filePart('b'.repeat(100_000))}`, multipart],
    ['an encoded file', filePart('eA==', '\r\nContent-Transfer-Encoding: base64') + end, multipart],
    [
      'an encoded field',
      filePart('a') + filePart('eA==', '\r\nContent-Transfer-Encoding: base64').replace('file', 'note') + end,
      multipart,
    ],
    ['a boundary of 300 characters', filePart('a') + end, `multipart/form-data; boundary=${'b'.repeat(300)}`],
    ['an unknown encoding', filePart('a', '\r\nContent-Transfer-Encoding: x') + end, multipart],
    ['a boundary that looks like JSON', '{"a":1}', 'multipart/form-data; x=application/json'],
  ])('returns 400 for a malformed body and leaves no file: %s', async (_, body, type) => {
    const answer = await sendRaw(body, { 'Content-Type': type });
    expect(answer).toMatchObject({ status: 400, body: { code: 'malformed_body' } });
    await nothingLeft();
  });
});

describe('an upload that is too large', () => {
  const tooLarge = { status: 413, body: { code: 'body_too_large' } };

  it('is rejected before it is read if Content-Length exceeds the limit', async () => {
    const socket = await open(`Content-Length: ${maxBytes + 100_000}`);
    expect(await answerOn(socket)).toMatch(/^HTTP\/1.1 413 /);
    expect(await uploads()).toEqual([]);
    socket.destroy();
  });

  it('is rejected for one excess byte', async () => {
    expect(await send(fileOf('x'.repeat(maxBytes + 1)))).toMatchObject(tooLarge);
    await nothingLeft();
  });

  it.each([
    ['a file', filePart('').replace(/\r\n$/, '')],
    ['a field', `--${boundary}\r\nContent-Disposition: form-data; name="note"\r\n\r\n`],
    ['a second file, which is not kept', filePart('a') + filePart('').replace(/\r\n$/, '')],
    ['what comes before the first part', ''],
  ])('is rejected while it arrives: %s without end', async (_, beginning) => {
    expect(await sendRaw(endless(beginning))).toMatchObject(tooLarge);
    await nothingLeft();
  });

  it('is rejected for fields that are too large together', async () => {
    const half = 'x'.repeat(40_000);
    expect(await send(fileOf('a', ['note', half], ['roleId', half]))).toMatchObject(tooLarge);
    await nothingLeft();
  });

  it('is rejected for too many fields before the file', async () => {
    const many = Array.from({ length: 101 }, (_, index): [string, string] => [`f${index}`, '']);
    expect(await send(parts(...many, ['file', new Blob(['content'])]))).toMatchObject(tooLarge);
    await nothingLeft();
  });

  it('is rejected for too many fields', async () => {
    const many = Array.from({ length: 101 }, (_, index): [string, string] => [`f${index}`, '']);
    expect(await send(parts(...many))).toMatchObject(tooLarge);
    await nothingLeft();
  });
});

describe('a client that disconnects during an upload', () => {
  it('leaves no file while it sends', async () => {
    const socket = await open('Content-Length: 100000');
    socket.write(filePart('x'.repeat(50_000)));
    await waitFor('some of it is there', async () => (await uploads()).length === 1);
    socket.destroy();
    await nothingLeft();
  });

  it('leaves no file during the response, once the handler has stopped reading it', async () => {
    const leaving = new AbortController();
    const init = { method: 'POST', body: fileOf('content'), signal: leaving.signal };
    const answer = await fetch(`${api.baseUrl}${apiPrefix}/readings`, init);
    expect(answer.status).toBe(200);
    expect([lastRead, await uploads()]).toEqual([undefined, [expect.any(String)]]);

    leaving.abort();

    await nothingLeft();
    expect(lastRead).toBe('content');
  });
});

describe('the OpenAPI document of an upload', () => {
  it('describes the file and the fields', () => {
    const schema = {
      required: ['file'],
      properties: {
        file: { type: 'string', format: 'binary', description: 'Anything' },
        roleId: { type: 'integer' },
      },
      additionalProperties: false,
    };
    const { paths, components } = openApiDocument([takeFile]);
    const named = { $ref: '#/components/schemas/TakeFileRequest' };
    expect(paths['/files']?.post).toMatchObject({
      requestBody: { required: true, content: { 'multipart/form-data': { schema: named } } },
      responses: { 400: {}, 413: {}, 415: {} },
    });
    expect(components.schemas.TakeFileRequest).toMatchObject(schema);
  });
});

async function open(length: string): Promise<Socket> {
  const socket = connect(Number(new URL(api.baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST ${apiPrefix}/files HTTP/1.1\r\nHost: localhost\r\n${length}\r\nContent-Type: ${multipart}\r\n\r\n`,
  );
  return socket;
}

const answerOn = async (socket: Socket) => String((await once(socket, 'data'))[0]);

/** A beginning, followed by an endless stream of bytes (at most 1 GB). */
function endless(beginning: string): ReadableStream<Uint8Array> {
  let pieces = 0;
  return new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(beginning)),
    pull(controller) {
      pieces += 1;
      if (pieces > 16_384) controller.close();
      else controller.enqueue(Buffer.alloc(65_536, 'x'));
    },
  });
}

describe('an upload beyond the limits', () => {
  it('is rejected for thousands of parts with a short response', async () => {
    const answer = await sendRaw(filePartNamed('x').repeat(2_000) + end);

    expect(answer).toMatchObject({ status: 400, body: { code: 'malformed_body' } });
    expect(JSON.stringify(answer.body).length).toBeLessThan(1_000);
    await nothingLeft();
  });

  it('closes the connection of a client that sends thousands of parts', async () => {
    const socket = await open('Transfer-Encoding: chunked');
    const closed = once(socket, 'close');
    const piece = filePartNamed('x').repeat(1_000);

    socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);

    const answer = await answerOn(socket);
    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('Connection: close');
    await closed;
    await nothingLeft();
  });

  it('is rejected while too many uploads of the workspace run, and accepted after one ends', async () => {
    const uploading = Array.from({ length: admissionTerms.uploads.each.workspace }, () =>
      open('Content-Length: 1000'),
    );
    const sockets = await Promise.all(uploading);
    await waitFor('all are under way', async () => (await uploads()).length === sockets.length);

    const refused = await send(fileOf('content'));

    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_uploads' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const socket of sockets) socket.destroy();
    await nothingLeft();
    expect((await send(fileOf('content'))).status).toBe(200);
  });
});

const filePartNamed = (name: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n\r\n`;
