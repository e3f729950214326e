import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Database } from '../../../db/database.js';
import { startApi } from '../../support/api/api.js';
import { useDatabase } from '../../support/db/use-database.js';

const testDatabase = useDatabase();

describe('the health endpoints', () => {
  it('report live and ready while database and Temporal are reachable', async () => {
    const api = await startApi(testDatabase.database, { runs: { isReachable: async () => true } });
    expect(await api.request('GET', '/health/live')).toMatchObject({ status: 200, body: { status: 'live' } });
    const answer = await api.request('GET', '/health/ready');
    expect(answer).toMatchObject({ status: 200, body: { status: 'ready', temporal: 'reachable' } });
    await api.close();
  });

  it('report ready with Temporal unreachable', async () => {
    const api = await startApi(testDatabase.database);
    const answer = await api.request('GET', '/health/ready');
    expect(answer).toMatchObject({ status: 200, body: { status: 'ready', temporal: 'unreachable' } });
    await api.close();
  });

  it('check database and Temporal at most once a second for any number of requests', async () => {
    const { database } = testDatabase;
    const pings = vi.spyOn(Database.prototype, 'ping');
    onTestFinished(() => pings.mockRestore());
    const isReachable = vi.fn(async () => true);
    const api = await startApi(database, { runs: { isReachable } });
    const before = Date.now();
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.request('GET', '/health/ready')));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const most = 1 + Math.floor((Date.now() - before) / 1_000);
    expect(isReachable.mock.calls.length).toBeLessThanOrEqual(most);
    expect(pings.mock.calls.length).toBeLessThanOrEqual(most);
    await api.close();
  });

  it('report live but not ready without a database', async () => {
    const nowhere = new Database({ url: 'postgres://wes_app@127.0.0.1:1/nothing' });
    const api = await startApi(nowhere);
    expect(await api.request('GET', '/health/live')).toMatchObject({ status: 200 });
    const answer = await api.request('GET', '/health/ready');
    expect(answer).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
    expect(answer.headers.get('Retry-After')).toBe('5');
    await api.close();
    await nowhere.close();
  });
});
