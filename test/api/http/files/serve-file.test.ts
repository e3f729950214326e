import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import Type from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publicAccess } from '../../../../api/http/access.js';
import { apiPrefix } from '../../../../api/http/app.js';
import { defineRoute } from '../../../../api/http/define-route.js';
import type { ByteRange } from '../../../../api/http/files/byte-range.js';
import type { ServedFile } from '../../../../api/http/files/served-file.js';
import { openApiDocument } from '../../../../api/http/openapi.js';
import { turnTerms } from '../../../../domain/kernel/admissions.js';
import { Unavailable } from '../../../../domain/lib/errors.js';
import { useApiOn } from '../../../support/api/use-api.js';
import { noDatabase } from '../../../support/db/no-database.js';
import { waitFor } from '../../../support/lib/wait-for.js';

const small = Buffer.from('0123456789');
const large = Buffer.alloc(40 * 1_048_576, 'some bytes of a large file; ');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const tag = `"${sha256(small)}"`;
let folder: string;
/** The ranges that were opened. */
let opened: (ByteRange | undefined)[];
let streams: Readable[];
let logged: string[];

const fromDisk = (name: string) => async (range: ByteRange | undefined) => {
  opened.push(range);
  const stream = createReadStream(join(folder, name), range);
  streams.push(stream);
  return stream;
};

/** A storage that gives these pieces, and waits or fails where it is told to. */
const pieces = (...given: (string | Error | 'stall')[]) => {
  return async () => {
    const stream = new Readable({
      read() {
        const piece = given.shift() ?? null;
        if (piece instanceof Error) this.destroy(piece);
        else if (piece !== 'stall') this.push(piece);
      },
    });
    streams.push(stream);
    return stream;
  };
};

const kept = { mimeType: 'text/plain', filename: 'digits.txt', disposition: 'inline' } as const;
const digits = { ...kept, bytes: small.length, sha256: sha256(small) };
const served: Record<string, () => ServedFile> = {
  small: () => ({ ...digits, open: fromDisk('small') }),
  large: () => ({ ...kept, bytes: large.length, sha256: 'large', open: fromDisk('large') }),
  empty: () => ({ ...kept, bytes: 0, sha256: sha256(Buffer.alloc(0)), open: fromDisk('none') }),
  script: () => ({ ...digits, mimeType: 'image/svg+xml', filename: 'a.svg', open: fromDisk('small') }),
  unavailable: () => ({
    ...digits,
    open: async () => {
      throw new Unavailable('The storage cannot be reached.');
    },
  }),
  missing: () => ({ ...digits, open: fromDisk('none') }),
  'fails-first': () => ({ ...digits, open: pieces(new Error('private words')) }),
  'fails-later': () => ({ ...digits, open: pieces('01234', new Error('private words')) }),
  'gives-nothing': () => ({ ...digits, open: pieces() }),
  'too-short': () => ({ ...digits, open: pieces('01234') }),
  'too-long': () => ({ ...digits, open: pieces('01234', '56789', 'more') }),
  stalls: () => ({ ...digits, open: pieces('stall') }),
  'stalls-later': () => ({ ...digits, open: pieces('01234', 'stall') }),
};

const downloadThing = defineRoute({
  operationId: 'downloadThing',
  method: 'GET',
  path: '/things/{thing_id}',
  tag: 'Members',
  summary: 'A test',
  access: publicAccess(),
  // Ends in `_id` and is a text.
  params: Type.Object({ thing_id: Type.String({ minLength: 1, maxLength: 20 }) }),
  response: { status: 200, file: true, description: 'The bytes of the thing.' },
  handler: async ({ params }) => served[params.thing_id]?.() ?? Promise.reject(new Error('no such thing')),
});

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wes-files-'));
  writeFileSync(join(folder, 'small'), small);
  writeFileSync(join(folder, 'large'), large);
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  opened = [];
  streams = [];
  logged = [];
});

const logger = pino({ level: 'info' }, { write: (line: string) => logged.push(line) });
const patient = useApiOn(() => noDatabase, { routes: [downloadThing], logger });
const impatient = useApiOn(() => noDatabase, { routes: [downloadThing], logger, readerPatienceMs: 1_000 });

const get = (thing: string, headers: Record<string, string> = {}, method = 'GET') =>
  patient.request(method, `/things/${thing}`, { headers });
const closed = () => waitFor('the streams are closed', () => streams.every(({ destroyed }) => destroyed));
/** Descriptors of the process that are open on the files of the test. */
async function openDescriptors(): Promise<number> {
  const targets = (await readdir('/proc/self/fd')).map((fd) =>
    readlink(`/proc/self/fd/${fd}`).catch(() => ''),
  );
  return (await Promise.all(targets)).filter((target) => target.startsWith(folder)).length;
}

describe('a file', () => {
  it('is answered with its bytes and headers', async () => {
    const answer = await get('small');
    expect(answer).toMatchObject({ status: 200, body: '0123456789' });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'content-disposition': 'inline; filename="digits.txt"',
      'content-length': '10',
      'content-security-policy': expect.stringMatching(/^sandbox;/),
      'content-type': 'text/plain; charset=utf-8',
      'cross-origin-resource-policy': 'same-origin',
      etag: tag,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  it('is an attachment if a browser could run a script in it', async () => {
    const { headers } = await get('script');
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(headers.get('content-disposition')).toBe('attachment; filename="a.svg"');
  });

  it('can be empty', async () => {
    const answer = await get('empty');
    expect([answer.status, answer.body, answer.headers.get('content-length')]).toEqual([200, '', '0']);
    expect(opened).toEqual([]);
  });

  it('is answered to HEAD without being opened, and without its range', async () => {
    const answer = await get('small', { Range: 'bytes=0-1' }, 'HEAD');
    expect([answer.status, answer.body, answer.headers.get('content-length')]).toEqual([200, '', '10']);
    expect(answer.headers.get('etag')).toBe(tag);
    expect(opened).toEqual([]);
  });

  it('has its own name in the path although it ends in _id', () => {
    const operation = openApiDocument([downloadThing]).paths['/things/{thing_id}']?.get;
    expect(operation?.parameters?.[0]).toMatchObject({ name: 'thing_id', schema: { type: 'string' } });
  });
});

describe('a range of a file', () => {
  it.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=8-100', '89', 'bytes 8-9/10'],
    ['bytes=0-4,3-6', '0123456', 'bytes 0-6/10'],
  ])('is answered with 206: %s', async (range, body, contentRange) => {
    const answer = await get('small', { Range: range });
    expect(answer).toMatchObject({ status: 206, body });
    expect(answer.headers.get('content-range')).toBe(contentRange);
    expect(answer.headers.get('content-length')).toBe(String(body.length));
    expect(opened).toHaveLength(1);
  });

  it('is answered with the whole if it has gaps or cannot be read', async () => {
    for (const range of ['bytes=0-1,8-9', 'bytes=x', 'lines=1-2']) {
      const answer = await get('small', { Range: range });
      expect([answer.status, answer.body]).toEqual([200, '0123456789']);
      expect(answer.headers.get('content-range')).toBeNull();
    }
  });

  it.each(['small', 'empty'])('beyond the end is 416 with the length: %s', async (thing) => {
    const answer = await get(thing, { Range: 'bytes=10-' });
    expect(answer).toMatchObject({ status: 416, body: { code: 'range_not_satisfiable' } });
    expect(answer.headers.get('content-range')).toBe(`bytes */${thing === 'small' ? 10 : 0}`);
    expect(answer.headers.get('content-disposition')).toBeNull();
    expect(opened).toEqual([]);
  });
});

describe('a condition on a file', () => {
  it.each([tag, `W/${tag}`, `"other", ${tag}`, '*'])('answers 304 to If-None-Match: %s', async (known) => {
    const answer = await get('small', { 'If-None-Match': known, Range: 'bytes=0-1' });
    expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([304, '', tag]);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect(opened).toEqual([]);
  });

  it('answers the range to If-Range with the ETag', async () => {
    const answer = await get('small', { Range: 'bytes=5-', 'If-Range': tag });
    expect([answer.status, answer.body]).toEqual([206, '56789']);
  });

  it.each(['"other"', `W/${tag}`, 'Tue, 24 Nov 2026 12:00:00 GMT'])(
    'answers the whole to If-Range with anything else: %s',
    async (ifRange) => {
      const answer = await get('small', { Range: 'bytes=5-', 'If-Range': ifRange });
      expect([answer.status, answer.body]).toEqual([200, '0123456789']);
    },
  );

  it('answers the whole to If-Range with anything else even if the range is beyond the end', async () => {
    expect((await get('small', { Range: 'bytes=50-', 'If-Range': '"other"' })).status).toBe(200);
  });

  it('answers 412 to If-Match with another ETag, and the file otherwise', async () => {
    const refused = await get('small', { 'If-Match': '"other"' });
    expect(refused).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
    expect((await get('small', { 'If-Match': 'unquoted' })).status).toBe(400);
    expect((await get('small', { 'If-Match': `"other", ${tag}` })).body).toBe('0123456789');
  });
});

describe('a storage that fails', () => {
  it.each([
    ['unavailable', 503, 'unavailable'],
    ['missing', 500, 'internal_error'],
    ['fails-first', 500, 'internal_error'],
    ['gives-nothing', 500, 'internal_error'],
  ])('before the first byte is an honest problem: %s', async (thing, status, code) => {
    const answer = await get(thing);
    expect(answer).toMatchObject({ status, body: { code } });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    for (const name of ['content-disposition', 'etag', 'accept-ranges'])
      expect(answer.headers.get(name)).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it.each(['fails-later', 'too-short', 'too-long'])(
    'in the middle cuts the connection: %s',
    async (thing) => {
      await expect(get(thing)).rejects.toThrow();
      await closed();
      const failure = await waitFor('it is logged', () => logged.find((line) => line.includes('"failed"')));
      expect(failure).toContain('downloadThing');
      expect(failure).not.toContain('private words');
    },
  );

  it('and gives nothing is a problem before the first byte, and cuts the connection after it', async () => {
    const ask = (thing: string) => impatient.request('GET', `/things/${thing}`);
    expect(await ask('stalls')).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    await expect(ask('stalls-later')).rejects.toThrow();
    await closed();
    const stalls = () => logged.filter((line) => line.includes('StorageStalled'));
    await waitFor('both failures are logged', () => stalls().length >= 2);
    expect(stalls()).toHaveLength(2);
  });
});

/** A client that takes what fits into its buffers, until it is told to read. */
async function slowly(baseUrl: string, thing: string): Promise<Socket> {
  const before = streams.length;
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET ${apiPrefix}/things/${thing} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await waitFor('the file is being read', () => streams.length > before);
  return socket;
}

describe('a reader', () => {
  it('that hangs up closes the stream of the storage and its descriptor', async () => {
    const sockets = await Promise.all([1, 2, 3].map(() => slowly(patient.baseUrl, 'large')));
    await waitFor('all are being read', async () => (await openDescriptors()) === 3);

    for (const socket of sockets) socket.destroy();

    await closed();
    await waitFor('no descriptor is open', async () => (await openDescriptors()) === 0);
    const line = await waitFor('it is logged', () => logged.find((entry) => entry.includes('client_gone')));
    expect(line).toContain('downloadThing');
  });

  it.each(['stalls', 'stalls-later'])(
    'that hangs up while the storage gives nothing closes its stream at once: %s',
    async (thing) => {
      const socket = await slowly(patient.baseUrl, thing);
      socket.destroy();
      await closed();
    },
  );

  it('that takes nothing is disconnected, and the storage has given no more than was taken', async () => {
    const socket = await slowly(impatient.baseUrl, 'large');
    await closed();
    await waitFor('no descriptor is open', async () => (await openDescriptors()) === 0);
    expect((streams[0] as ReturnType<typeof createReadStream>).bytesRead).toBeLessThan(large.length / 2);
    socket.destroy();
  });

  it('that is cut off continues by If-Range and gets the same bytes', async () => {
    const first = await slowly(patient.baseUrl, 'large');
    const received: Buffer[] = [];
    first.on('data', (chunk: Buffer) => received.push(chunk));
    await waitFor('a part has come', () => first.bytesRead > 1_048_576);
    first.destroy();
    const whole = Buffer.concat(received);
    const part = whole.subarray(whole.indexOf('\r\n\r\n') + 4);
    const headers = { Range: `bytes=${part.length}-`, 'If-Range': '"large"' };

    const rest = await fetch(`${patient.baseUrl}${apiPrefix}/things/large`, { headers });

    expect(rest.status).toBe(206);
    expect(sha256(Buffer.concat([part, Buffer.from(await rest.arrayBuffer())]))).toBe(sha256(large));
  });

  it('waits while its address reads as many files as it may, and is served after one ends', async () => {
    const reading = Array.from({ length: turnTerms.downloads.each.account }, () =>
      slowly(patient.baseUrl, 'large'),
    );
    const sockets = await Promise.all(reading);
    await waitFor('all are being read', () => streams.length === sockets.length);
    let answered = false;
    const waiting = get('small').finally(() => {
      answered = true;
    });
    // Neither opens the bytes, so neither waits.
    expect((await get('small', { 'If-None-Match': tag })).status).toBe(304);
    expect((await get('small', {}, 'HEAD')).status).toBe(200);
    expect(answered).toBe(false);

    sockets[0]?.destroy();

    expect((await waiting).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await closed();
  });
});

describe('the OpenAPI document of a file', () => {
  it('describes the bytes, the headers, and the answers for a part and for an unchanged file', () => {
    const { paths } = openApiDocument([downloadThing]);
    const binary = { '*/*': { schema: { type: 'string', format: 'binary' } } };
    const operation = paths['/things/{thing_id}']?.get;
    expect(operation).toMatchObject({
      responses: {
        200: { content: binary, headers: { ETag: {}, 'Accept-Ranges': {}, 'Content-Disposition': {} } },
        206: { content: binary, headers: { 'Content-Range': {} } },
        304: { headers: { ETag: {} } },
        412: {},
        416: {},
        503: {},
      },
    });
    const names = ((operation?.parameters ?? []) as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['thing_id', 'Range', 'If-Range', 'If-Match', 'If-None-Match']);
  });
});
