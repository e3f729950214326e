import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../../db/database.js';
import { type ApiResponse, startApi, type TestApi } from '../../support/api/api.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const members = 300_000;
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
  const superuser = new pg.Client({ connectionString: testDatabase.superuserUrl });
  await superuser.connect();
  await superuser.query('set session_replication_role = replica; set synchronous_commit = off');
  await superuser.query(
    `insert into members (workspace_id, kind, name, member_role_id)
     select workspace_id, kind, 'Sample ' || to_hex(number::bigint * 7919), member_role_id
     from members, generate_series(1, $2) number where id = $1`,
    [attacker.member.memberId, members],
  );
  await superuser.query('analyze members');
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
  times.sort((one, another) => one - another);
  return { p99: times[Math.ceil(samples * 0.99) - 1] ?? 0, statuses };
}

it(`keeps connections free for other tenants during ${atOnce} concurrent searches over ${members} members`, async () => {
  await measureOther();
  const idle = await measureOther();

  let attacks = true;
  const answers: ApiResponse<unknown>[] = [];
  const search = async () => {
    for (let count = 0; attacks; count += 1) {
      answers.push(
        await api.request('GET', attacker.path('/members'), {
          apiKey: attacker.admin.apiKey,
          query: { search: `nobody ${count}` },
        }),
      );
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
