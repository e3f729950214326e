import { pino } from 'pino';
import Type from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publicAccess } from '../../../api/http/access.js';
import { defineRoute } from '../../../api/http/define-route.js';
import { Id } from '../../../api/http/schemas.js';
import { useApiOn } from '../../support/api/use-api.js';
import { noDatabase } from '../../support/db/no-database.js';

const common = { method: 'GET', tag: 'Members', summary: 'A test', access: publicAccess() } as const;

const upsert = defineRoute({
  ...common,
  operationId: 'upsert',
  method: 'POST',
  path: '/things/{thing_id}/by-name/{external_name}',
  query: Type.Object({ search: Type.Optional(Type.String({ maxLength: 100 })) }),
  body: Type.Object({ note: Type.String({ maxLength: 100 }) }),
  response: { status: 200, schema: Type.Object({ id: Id, note: Type.String() }) },
  handler: async ({ params, body }) => ({ id: params.thing_id, note: body.note }),
});

const fail = defineRoute({
  ...common,
  operationId: 'fail',
  path: '/failures',
  query: Type.Object({ code: Type.String({ maxLength: 100, default: '22003' }) }),
  response: { status: 204 },
  handler: async ({ query }) => {
    throw Object.assign(new RangeError('private@example.com'), { code: query.code });
  },
});

const follow = defineRoute({
  ...common,
  operationId: 'follow',
  path: '/things/{thing_id}/events',
  response: { status: 200, events: {}, description: 'Nothing ever happens' },
  handler: async () => ({ start() {}, stop() {}, async check() {} }),
});

let lines: Record<string, unknown>[];
beforeEach(() => {
  lines = [];
});
const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
const api = useApiOn(() => noDatabase, { routes: [upsert, fail, follow], logger });

describe('the access log', () => {
  // Nothing that a caller wrote is in any line.
  afterEach(() => expect(JSON.stringify(lines)).not.toContain('private'));

  it('contains route, ids, status and duration, and no user input', async () => {
    const headers = { 'X-Request-Id': 'request-0001', Authorization: 'Bearer private-token' };
    const query = { search: 'private-search' };
    const body = { note: 'private-note' };
    await api.request('POST', '/things/7/by-name/private-name', { headers, query, body });
    expect(lines).toMatchObject([
      {
        msg: 'request',
        requestId: 'request-0001',
        method: 'POST',
        route: '/things/{thing_id}/by-name/{external_name}',
        operation: 'upsert',
        ids: { thing_id: '7' },
        status: 200,
        durationMs: expect.any(Number),
      },
    ]);
  });

  it('omits ids that are malformed', async () => {
    for (const given of ['1980-02-29', 'deadbeef', '7a'])
      await api.request('POST', `/things/${given}/by-name/x`);
    expect(lines).toMatchObject([{ ids: {} }, { ids: {} }, { ids: {} }]);
  });

  it('logs an event stream when it begins, because its end is not foreseeable', async () => {
    const leaving = new AbortController();
    const response = await fetch(`${api.baseUrl}/api/v2/things/7/events`, { signal: leaving.signal });

    expect(response.status).toBe(200);
    expect(lines).toMatchObject([{ operation: 'follow', ids: { thing_id: '7' }, status: 200 }]);
    leaving.abort();
  });

  it('contains the code of a rejected request', async () => {
    await api.request('POST', '/things/private/by-name/x', { body: { private: 1 } });
    expect(lines).toMatchObject([{ status: 400, code: 'validation_failed', ids: {} }]);
  });

  it('omits the path of an unknown route, and a malformed error code', async () => {
    await api.request('GET', '/private');
    await api.request('GET', '/failures', { query: { code: 'private words' } });
    expect(lines).toMatchObject([{ status: 404, route: null }, { msg: 'failed', error: 'RangeError' }, {}]);
  });

  it('adds a line for an internal error, with the same request id', async () => {
    await api.request('GET', '/failures', { headers: { 'X-Request-Id': 'request-0002' } });
    const requestId = 'request-0002';
    expect(lines).toMatchObject([
      { msg: 'failed', level: 50, requestId, operation: 'fail', error: 'RangeError', errorCode: '22003' },
      { msg: 'request', requestId, status: 500, code: 'internal_error' },
    ]);
  });
});
