import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../../db/database.js';
import { type ApiResponse, startApi, type TestApi } from '../../support/api/api.js';
import { connect } from '../../support/db/connect.js';
import { percentile } from '../../support/lib/statistics.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { insertMembers, members } from './searches.js';

const atOnce = 60;
const samples = 100;
/** Latency that a busy machine adds to a request of a few milliseconds, independent of other callers. */
const noiseMs = 150;

const { database: testDatabase, workspace: attacker } = useWorkspace();
let database: Database;
let api: TestApi;
let other: TestWorkspace;

beforeAll(async () => {
  other = await createWorkspace(attacker.database);
  const superuser = await connect(testDatabase.superuserUrl);
  await superuser.query('set session_replication_role = replica; set synchronous_commit = off');
  await insertMembers(superuser, attacker.member);
  await superuser.end();
  // The same connection share as in an api process.
  database = new Database({ url: testDatabase.appUrl, share: 0.3 });
  api = await startApi(database);
});
afterAll(async () => {
  await api.close();
  await database.close();
});

/** The 99th percentile of the other tenant’s waiting times, in milliseconds, and its response statuses. */
async function measureOther(): Promise<{ p99: number; statuses: Set<number> }> {
  const times: number[] = [];
  const statuses = new Set<number>();
  for (let count = 0; count < samples; count += 1) {
    const before = performance.now();
    const { status } = await api.request('GET', other.path('/members'), { apiKey: other.admin.apiKey });
    times.push(performance.now() - before);
    statuses.add(status);
  }
  return { p99: percentile(times, 99), statuses };
}

it(`keeps connections free for other tenants during ${atOnce} concurrent searches over ${members} members`, async () => {
  await measureOther();
  const idle = await measureOther();

  let attacks = true;
  const answers: ApiResponse<unknown>[] = [];
  const search = async () => {
    for (let count = 0; attacks; count += 1) {
      const asked = { apiKey: attacker.admin.apiKey, query: { search: `nobody ${count}` } };
      answers.push(await api.request('GET', attacker.path('/members'), asked));
    }
  };
  const searching = Array.from({ length: atOnce }, search);
  const busy = await measureOther();
  attacks = false;
  await Promise.all(searching);

  expect([...busy.statuses]).toEqual([200]);
  expect(busy.p99).toBeLessThan(5 * idle.p99 + noiseMs);
  // Requests that have waited too long are rejected with a time to retry.
  expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
  for (const { status, headers } of answers) {
    if (status === 429) expect(headers.get('Retry-After')).toBe('1');
  }
}, 120_000);
