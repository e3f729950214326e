import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { publicAccess } from '../../../api/http/access.js';
import { defineRoute } from '../../../api/http/define-route.js';
import { DateOnly, Id, Nullable, OneOf, PageQuery, Picked, TimeInput } from '../../../api/http/schemas.js';
import type { RawBody } from '../../support/api/api.js';
import { useApiOn } from '../../support/api/use-api.js';
import { noDatabase } from '../../support/db/no-database.js';

const common = { method: 'GET', tag: 'Health', summary: 'A thing', access: publicAccess() } as const;
const things = { ...common, path: '/things' } as const;
const thing = { ...common, path: '/things/{thing_id}' } as const;
const ofId = { status: 200, schema: Type.Object({ id: Id }) } as const;

const createThing = defineRoute({
  ...things,
  operationId: 'createThing',
  method: 'POST',
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 10 }),
    size: Type.Optional(Type.Integer({ minimum: 1 })),
    colour: Type.Optional(OneOf(['red', 'green'])),
    bornOn: Type.Optional(Nullable(DateOnly)),
    at: Type.Optional(TimeInput),
    email: Type.Optional(Type.String({ format: 'email', maxLength: 100 })),
    parts: Type.Optional(Type.Array(Type.Object({ id: Id }), { maxItems: 3 })),
    free: Type.Optional(Type.Record(Type.String({ maxLength: 10 }), Type.Unknown(), { maxProperties: 5 })),
  }),
  response: { status: 201, schema: Type.Object({ name: Type.String() }) },
  handler: async ({ body }) => ({ name: body.name }),
});

const getThing = defineRoute({
  ...thing,
  operationId: 'getThing',
  response: ofId,
  handler: async ({ params }) => ({ id: params.thing_id }),
});

const listThings = defineRoute({
  ...things,
  operationId: 'listThings',
  query: PageQuery(['name', 'createdAt'], { mine: Type.Optional(Type.Boolean()) }),
  response: { status: 200, schema: Type.Object({ asked: Type.Unknown() }) },
  handler: async ({ query }) => ({ asked: query }),
});

const getFixed = defineRoute({
  ...common,
  operationId: 'getFixed',
  path: '/things/fixed',
  response: { status: 200, schema: Type.Object({ fixed: Type.Boolean() }) },
  handler: async () => ({ fixed: true }),
});

const deleteThing = defineRoute({
  ...thing,
  operationId: 'deleteThing',
  method: 'DELETE',
  response: { status: 204 },
  handler: async () => {},
});

const leakThing = defineRoute({
  ...common,
  operationId: 'leakThing',
  path: '/leaks',
  response: ofId,
  handler: async () => ({ id: 1, secret: 'x' }),
});

const pickThing = defineRoute({
  ...common,
  operationId: 'pickThing',
  path: '/picked',
  response: { status: 200, schema: Picked({ id: Id, note: Type.Optional(Type.String()) }) },
  handler: async () => ({ id: 1, secret: 'x', note: null }),
});

const loseThing = defineRoute({
  ...common,
  operationId: 'loseThing',
  path: '/lost',
  response: { status: 200, schema: Picked({ id: Id }) },
  handler: async () => ({}) as { id: number },
});

const failThing = defineRoute({
  ...common,
  operationId: 'failThing',
  path: '/failures',
  response: { status: 204 },
  handler: async () => {
    throw new Error('insert into members values (private@example.com)');
  },
});

const speak = defineRoute({
  ...common,
  operationId: 'speak',
  method: 'POST',
  path: '/speech',
  consumes: 'form',
  body: Type.Object({ Digits: Type.String({ maxLength: 10 }) }),
  response: { status: 200, schema: Type.String(), contentType: 'text/xml' },
  handler: async ({ body }) => `<Response>${body.Digits}</Response>`,
});

const api = useApiOn(() => noDatabase, {
  routes: [
    createThing,
    getThing,
    listThings,
    getFixed,
    deleteThing,
    leakThing,
    pickThing,
    loseThing,
    failThing,
    speak,
  ],
});

const post = (body: unknown) => api.request('POST', '/things', { body });
const send = (raw: RawBody, headers: Record<string, string> = {}) =>
  api.request('POST', '/things', { raw, headers: { 'Content-Type': 'application/json', ...headers } });
const list = (query: Record<string, string | number>) => api.request('GET', '/things', { query });
const refusedWith = (status: number, code: string, detail: unknown = expect.any(String)) => ({
  status,
  body: { code, detail },
});

describe('an operation without a body', () => {
  const send = (raw: RawBody, headers: Record<string, string> = {}) =>
    api.request('DELETE', '/things/1', { raw, headers });
  const inPieces = (text: string) => send(new Blob([text]).stream());

  it.each(['', '{}', ' { }\n'])('accepts %j as empty, and its response is empty', async (body) => {
    for (const answer of [await send(body), await inPieces(body)])
      expect(answer).toMatchObject({ status: 204, body: '' });
  });

  it.each([
    ['a field', '{"force":true}'],
    ['a list', '[]'],
    ['what is no JSON', 'force=true'],
    ['what is only blanks at first', `${' '.repeat(1_020)}{"force":true}`],
    ['what is large', 'x'.repeat(2_000_000)],
  ])('refuses a body with %s', async (_what, body) => {
    for (const answer of [await send(body, { 'Content-Type': 'application/json' }), await inPieces(body)])
      expect(answer).toMatchObject(refusedWith(400, 'unexpected_body'));
  });

  it('answers without waiting for the end of an endless body', async () => {
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('x'.repeat(2_000))),
    });
    expect((await send(endless)).status).toBe(400);
  });
});

describe('a request body', () => {
  it('reaches the handler if it is valid', async () => {
    const answer = await post({ name: 'one', bornOn: null, parts: [{ id: 1 }], free: { a: { b: 1 } } });
    expect(answer).toMatchObject({ status: 201, body: { name: 'one' } });
  });

  it('is rejected with a pointer to every wrong field', async () => {
    const answer = await post({
      size: 0,
      colour: 'blue',
      bornOn: '2023-02-29',
      at: 'yesterday',
      email: 'nobody',
      parts: [{ id: 1, more: true }, { id: 'x' }],
      'a/b': 1,
    });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('Content-Type')).toContain('application/problem+json');
    expect(answer.body).toMatchObject({ code: 'validation_failed', status: 400 });
    expect(answer.body.errors.sort(byPointer)).toEqual([
      { pointer: '/at', message: 'must be a time (ISO 8601 with a time zone)', in: 'body' },
      { pointer: '/a~1b', message: 'is not a known field', in: 'body' },
      { pointer: '/bornOn', message: 'must be a date (YYYY-MM-DD)', in: 'body' },
      { pointer: '/colour', message: 'must be one of: red, green', in: 'body' },
      { pointer: '/email', message: 'must be an email address', in: 'body' },
      { pointer: '/name', message: 'is required', in: 'body' },
      { pointer: '/parts/0/more', message: 'is not a known field', in: 'body' },
      { pointer: '/parts/1/id', message: 'must be an integer', in: 'body' },
      { pointer: '/size', message: 'must be at least 1', in: 'body' },
    ]);
  });

  it.each([
    [
      'the allowed types of a nullable field',
      { name: 'one', bornOn: 7 },
      '/bornOn',
      'must be a string or null',
    ],
    ['the required fields if it is missing', undefined, '/name', 'is required'],
  ])('is rejected with %s', async (_what, body, pointer, message) => {
    expect((await post(body)).body.errors).toEqual([{ pointer, message, in: 'body' }]);
  });

  it('is rejected with text that the database cannot store', async () => {
    const answer = await post({ name: 'a\u0000b', free: { 'x\u0000': '\ud800' } });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.sort(byPointer)).toMatchObject([
      { pointer: '/free', message: 'must not contain the NUL character', in: 'body' },
      { pointer: '/free/x\u0000', message: 'must be well-formed Unicode', in: 'body' },
      { pointer: '/name', message: 'must not contain the NUL character', in: 'body' },
    ]);
  });

  it('is rejected if it is nested too deeply', async () => {
    const deep = `{"name":"one","free":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
    expect((await send(deep)).status).toBe(400);
  });

  it.each([
    ['{"name":', expect.any(String)],
    ['null', 'The body is not a JSON object or array.'],
    ['"text"', 'The body is not a JSON object or array.'],
    ['{"name":}', 'The body is not JSON at line 1, column 9.'],
    ['{"name":\n "one",}', 'The body is not JSON at line 2, column 8.'],
    ['{"name":"one"', 'The body is not JSON at line 1, column 14.'],
    [
      Uint8Array.from([...Buffer.from('{"name":"'), 0xe9, 0xff, ...Buffer.from('"}')]),
      'The body is not UTF-8: byte 9 does not belong there.',
    ],
    [
      Uint8Array.from([...Buffer.from('{"name":"\ufffd\ufffdé'), 0xf0, 0x9f, ...Buffer.from('"}')]),
      'The body is not UTF-8: byte 17 does not belong there.',
    ],
  ])('returns 400 with the place of the error if it is no JSON object in UTF-8: %j', async (text, detail) => {
    expect(await send(text)).toMatchObject(refusedWith(400, 'malformed_body', detail));
  });

  it.each([
    ['{"name":"a","__proto__":{"x":1}}', '/__proto__'],
    ['{"name":"a","free":{"b":[{"__proto__":1}]}}', '/free/b/0/__proto__'],
    ['{"name":"a","\\u005f_proto__":1}', '/__proto__'],
  ])('is rejected with a field __proto__: %s', async (text, pointer) => {
    const errors = [{ pointer, message: 'is not a name that a field can have' }];
    expect(await send(text)).toMatchObject({ status: 400, body: { code: 'validation_failed', errors } });
  });

  it.each([
    ['9999-12-31T23:59:59.999Z', 201],
    ['0001-01-01T00:00:00Z', 201],
    ['9999-12-31T23:59:59-14:00', 400],
    ['0001-01-01T00:00:00+00:01', 400],
  ])('is accepted with the instant %s only if its UTC year is in range: %i', async (at, status) => {
    expect(await post({ name: 'one', at })).toMatchObject({ status });
  });

  it('keeps non-ASCII text unchanged', async () => {
    expect((await post({ name: 'é \u{1f600} \ufffd' })).body).toEqual({ name: 'é \u{1f600} \ufffd' });
  });

  it.each([
    ['no JSON', 'unsupported_media_type', { 'Content-Type': 'text/plain' }],
    ['in another charset', 'unsupported_charset', { 'Content-Type': 'application/json; charset=iso-8859-1' }],
    ['in an unknown content encoding', 'unsupported_media_type', { 'Content-Encoding': 'compress' }],
  ])('returns 415 if it is %s', async (_what, code, headers) => {
    expect(await send('{"name":"one"}', headers)).toMatchObject(refusedWith(415, code));
  });

  it('names the supported content encodings if its own is unknown', async () => {
    const answer = await send('{"name":"one"}', { 'Content-Encoding': 'zstd' });
    expect(answer.headers.get('Accept-Encoding')).toBe('gzip, deflate, br');
  });

  it('may name its charset, and has to be in the content encoding that it names', async () => {
    const named = await send('{"name":"one"}', { 'Content-Type': 'application/json; charset=UTF-8' });
    expect(named.status).toBe(201);
    const detail = 'The body is not in the content encoding that its header names.';
    const broken = await send('{"name":"one"}', { 'Content-Encoding': 'br' });
    expect(broken).toMatchObject(refusedWith(400, 'malformed_body', detail));
  });

  it('accepts null for an optional field and treats it as absent', async () => {
    expect(await post({ name: 'one', size: null, parts: null, email: null })).toMatchObject({ status: 201 });
    expect((await post({ name: null })).body.errors).toMatchObject([{ pointer: '/name' }]);
    expect((await post({ name: 'one', parts: [{ id: null }] })).body.errors).toMatchObject([
      { pointer: '/parts/0/id' },
    ]);
  });

  it('returns 413 if it is larger than 1 MiB, which may show only while it arrives', async () => {
    const told = await send(JSON.stringify({ name: 'x'.repeat(1_048_576) }));
    expect(told).toMatchObject(refusedWith(413, 'body_too_large'));
    expect((await send(new Blob([' '.repeat(20 * 65_536)]).stream())).status).toBe(413);
  });

  it('accepts a form with undeclared fields', async () => {
    const answer = await api.request('POST', '/speech', { form: { Digits: '12', 'Other.Field': 'x' } });
    expect(answer).toMatchObject({ status: 200, body: '<Response>12</Response>' });
    expect(answer.headers.get('Content-Type')).toContain('text/xml');
  });
});

describe('query parameters', () => {
  it('are coerced and filled with defaults', async () => {
    const asked = { page: 2, pageSize: 25, sortBy: 'name', sortOrder: 'asc', mine: true };
    expect((await list({ page: '2', mine: 'true' })).body.asked).toMatchObject(asked);
  });

  it.each([
    ['GET', '/things?other=x', '/other'],
    ['GET', '/things?page[]=1', '/page[]'],
    ['GET', '/things/1?mine=true', '/mine'],
    ['POST', '/things?name=one', '/name'],
  ])('are rejected if one is unknown: %s %s', async (method, path, pointer) => {
    const answer = await api.request(method, path, method === 'POST' ? { body: { name: 'one' } } : {});
    const message = 'is not a known parameter';
    const errors = [{ pointer, message, in: 'query' }];
    expect(answer).toMatchObject({ status: 400, body: { detail: `${pointer} ${message}`, errors } });
  });

  it.each(['%ff%fe', '%c3', 'a%E9b'])('are rejected if they are not UTF-8: %s', async (text) => {
    const answer = await api.request('GET', `/things?sortBy=${text}`);
    expect(answer).toMatchObject(refusedWith(400, 'malformed_query'));
  });

  it('are rejected with a pointer to every wrong parameter', async () => {
    const answer = await list({ page: 'x', pageSize: 101, sortBy: 'size' });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([
      { pointer: '/page', message: 'must be an integer', in: 'query' },
      { pointer: '/pageSize', message: 'must be at most 100', in: 'query' },
      { pointer: '/sortBy', message: 'must be one of: name, createdAt', in: 'query' },
    ]);
  });
});

describe('an integer in a query', () => {
  it.each(['0x10', '1e1', ' 7', '+7', '7.0', '', ' '])(
    'is rejected as "%s", because it has only one spelling',
    async (page) => {
      expect(await list({ page })).toMatchObject({ status: 400, body: { errors: [{ pointer: '/page' }] } });
    },
  );
});

describe('route matching', () => {
  it('passes path ids as numbers', async () => {
    expect(await api.request('GET', '/things/12')).toMatchObject({ status: 200, body: { id: 12 } });
  });

  it('prefers a fixed segment to a parameter', async () => {
    expect(await api.request('GET', '/things/fixed')).toMatchObject({ status: 200, body: { fixed: true } });
  });

  it.each(['0', '-1', '9007199254740993', '99999999999999999999'])('returns 404 for %s', async (id) => {
    expect(await api.request('GET', `/things/${id}`)).toMatchObject(refusedWith(404, 'not_found'));
  });

  it.each(['abc', '1.5', '1e3x', '1e3', '0x10', '+1', '1.0', '%201', ''.padEnd(3, '%20')])(
    'returns 400 for the malformed id %s',
    async (id) => {
      const answer = await api.request('GET', `/things/${id}`);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/thing_id' }] } });
    },
  );

  it('returns 404 for an unknown path', async () => {
    const body = { code: 'not_found', title: 'Not found' };
    expect(await api.request('GET', '/nothing')).toMatchObject({ status: 404, body });
  });

  it.each([
    ['a method that the path has not', '/things', 'GET, HEAD, OPTIONS, POST'],
    ['a method that only the parameter path has', '/things/fixed', 'GET, HEAD, OPTIONS'],
  ])('returns 405 with the allowed methods for %s', async (_what, path, allowed) => {
    const answer = await api.request('DELETE', path);
    expect(answer).toMatchObject(refusedWith(405, 'method_not_allowed'));
    expect(answer.headers.get('Allow')).toBe(allowed);
  });

  it('answers OPTIONS with the methods and without CORS headers', async () => {
    const headers = { Origin: 'https://elsewhere.example.com', 'Access-Control-Request-Method': 'POST' };
    const answer = await api.request('OPTIONS', '/things', { headers });
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect(answer.headers.get('Allow')).toBe('GET, HEAD, OPTIONS, POST');
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });

  it('answers HEAD like GET without a body', async () => {
    expect(await api.request('HEAD', '/things/fixed')).toMatchObject({ status: 200, body: '' });
  });
});

describe('a response', () => {
  it('returns 500 if it does not match the declared schema', async () => {
    const answer = await api.request('GET', '/leaks');
    expect(answer).toMatchObject({
      status: 500,
      body: { code: 'response_mismatch', errors: [{ pointer: '/secret' }] },
    });
  });

  it('returns 500 if a declared field is missing', async () => {
    const errors = [{ pointer: '/id', message: 'is required' }];
    expect(await api.request('GET', '/lost')).toMatchObject({
      status: 500,
      body: { code: 'response_mismatch', errors },
    });
  });

  it('has only the declared fields of a row that is picked from', async () => {
    expect((await api.request('GET', '/picked')).body).toEqual({ id: 1 });
  });

  it('contains only the request id of an unexpected error', async () => {
    const answer = await api.request('GET', '/failures', { headers: { 'X-Request-Id': 'request-0001' } });
    expect(answer.body).toEqual({
      type: 'about:blank',
      title: 'Internal server error',
      status: 500,
      detail: 'Something went wrong on our side.',
      code: 'internal_error',
      requestId: 'request-0001',
      errors: [],
    });
    expect(answer.headers.get('X-Request-Id')).toBe('request-0001');
  });

  it('replaces a malformed request id', async () => {
    const answer = await api.request('GET', '/things/1', { headers: { 'X-Request-Id': 'a b' } });
    expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('keeps the connection for longer than the 60 seconds of common load balancers', async () => {
    const { headers } = await api.request('GET', '/things/1');
    expect(headers.get('Keep-Alive')).toBe('timeout=65');
  });

  it('carries the security headers for browsers', async () => {
    const { headers } = await api.request('GET', '/things/1');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  });
});

function byPointer(one: { pointer: string }, other: { pointer: string }): number {
  return one.pointer < other.pointer ? -1 : 1;
}
