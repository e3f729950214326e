import { describe, expect, it } from 'vitest';
import { toProblem } from '../../../api/http/problem.js';
import {
  Conflict,
  Forbidden,
  InProgress,
  InvalidInput,
  NotFound,
  TooManyRequests,
  Unauthenticated,
  Unavailable,
  Unprocessable,
} from '../../../domain/lib/errors.js';

describe('toProblem', () => {
  it.each([
    [InvalidInput.field('/email', 'This is not an email address.'), 400, 'validation_failed', {}],
    [new Unauthenticated(), 401, 'unauthenticated', { 'WWW-Authenticate': 'Bearer' }],
    [new Forbidden('members:write'), 403, 'forbidden', {}],
    [new NotFound('Member'), 404, 'not_found', {}],
    [new Conflict('own_member', 'This is your own member.'), 409, 'own_member', {}],
    [new InProgress('record_contended', 'It is under way.'), 409, 'record_contended', { 'Retry-After': '1' }],
    [new Unprocessable('idempotency_key_reused', 'It was another.'), 422, 'idempotency_key_reused', {}],
    [new TooManyRequests('Too many.', 30), 429, 'rate_limited', { 'Retry-After': '30' }],
    [new Unavailable('Not now.', 7), 503, 'unavailable', { 'Retry-After': '7' }],
  ])('converts an error into its problem: %s', (error, status, code, headers) => {
    const { problem, headers: told, log } = toProblem(error, 'request-0001');
    expect(problem).toMatchObject({ status, code, detail: error.message, requestId: 'request-0001' });
    expect(problem.errors).toEqual(error.errors);
    expect(told).toEqual(headers);
    expect(log).toBeUndefined();
  });

  it.each([
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('the database system is starting up'), { code: '57P03' }),
    Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' }),
    new Error('Connection terminated unexpectedly'),
    Object.assign(new Error('select 1'), { nativeError: { code: '08006' } }),
  ])('reports an unavailable database as temporary: %s', (error) => {
    const { problem, headers } = toProblem(error, 'request-0001');
    expect(problem).toMatchObject({ status: 500, code: 'database_unavailable' });
    expect(headers).toEqual({ 'Retry-After': '5' });
  });

  it('reports a deadlock as temporary', () => {
    const { problem, headers } = toProblem(Object.assign(new Error(), { code: '40P01' }), 'request-0001');
    expect(problem).toMatchObject({ status: 500, code: 'database_busy' });
    expect(headers).toEqual({ 'Retry-After': '1' });
  });

  it('logs class, code and place of an error, but not its message', () => {
    const error = Object.assign(new Error('insert … values (private@example.com)'), { code: '23514' });
    const { problem, log } = toProblem(error, 'request-0001');
    expect(problem).toMatchObject({ status: 500, code: 'internal_error' });
    expect(log).toMatchObject({ error: 'Error', errorCode: '23514' });
    expect(log?.frames[0]).toMatch(/^at .*problem\.test\.ts/);
    expect(JSON.stringify([problem, log])).not.toContain('private');
  });

  it.each(['text', null, undefined, 7])('converts a thrown value that is not an error: %s', (thrown) => {
    expect(toProblem(thrown, 'request-0001').problem).toMatchObject({ status: 500, code: 'internal_error' });
  });
});
