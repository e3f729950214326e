import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Database } from '../../../db/database.js';
import { createApiKeySecret } from '../../../domain/identity/api-keys/api-key-secret.js';
import { useApiOn } from '../../support/api/use-api.js';
import { useDatabase } from '../../support/db/use-database.js';

const testDatabase = useDatabase();
const isReachable = vi.fn(async () => true);
const api = useApiOn(() => testDatabase.database, { runs: { isReachable } });
const withoutTemporal = useApiOn(() => testDatabase.database);
const nowhere = new Database({ url: 'postgres://wes_app@127.0.0.1:1/nothing' });
afterAll(() => nowhere.close());
const withoutDatabase = useApiOn(() => nowhere);

describe('the health endpoints', () => {
  it.each([
    { temporal: 'reachable', at: api },
    { temporal: 'unreachable', at: withoutTemporal },
  ])('report live and ready with Temporal $temporal', async ({ temporal, at }) => {
    expect(await at.request('GET', '/health/live')).toMatchObject({ status: 200, body: { status: 'live' } });
    const body = { status: 'ready', temporal };
    expect(await at.request('GET', '/health/ready')).toMatchObject({ status: 200, body });
  });

  it('check database and Temporal at most once a second for any number of requests', async () => {
    const pings = vi.spyOn(Database.prototype, 'ping');
    onTestFinished(() => pings.mockRestore());
    isReachable.mockClear();
    const before = Date.now();
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.request('GET', '/health/ready')));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const most = 1 + Math.floor((Date.now() - before) / 1_000);
    expect(isReachable.mock.calls.length).toBeLessThanOrEqual(most);
    expect(pings.mock.calls.length).toBeLessThanOrEqual(most);
  });

  it('report live but not ready without a database', async () => {
    expect(await withoutDatabase.request('GET', '/health/live')).toMatchObject({ status: 200 });
    const answer = await withoutDatabase.request('GET', '/health/ready');
    expect(answer).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
    expect(answer.headers.get('Retry-After')).toBe('5');
  });
});

it('a request without a reachable database returns 500 with Retry-After', async () => {
  const { secret: apiKey } = createApiKeySecret();
  const answer = await withoutDatabase.request('GET', '/account', { apiKey });
  expect(answer).toMatchObject({ status: 500, body: { code: 'database_unavailable' } });
  expect(answer.headers.get('Retry-After')).toBe('5');
});
