import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FairBatchSelector } from '../../runtime/relay/fair-batch.js';
import { OutboxRows } from '../support/db/outbox-rows.js';
import { useDatabase } from '../support/db/use-database.js';

const backlog = 20_000;

const testDatabase = useDatabase();
let outbox: OutboxRows;
let workspaces: number[];

beforeAll(async () => {
  outbox = await OutboxRows.open(testDatabase.superuserUrl);
  workspaces = await outbox.createWorkspaces(1_000);
});
afterEach(() => outbox.clear());
afterAll(async () => {
  await outbox.close();
});

/** The number of blocks that PostgreSQL reads to compose a batch, and the number of entries in it. */
async function composeBatch(
  kind: 'people' | 'crowd' = 'people',
): Promise<{ blocks: number; entries: number }> {
  const client = new pg.Client({ connectionString: testDatabase.relayUrl });
  await client.connect();
  let blocks = 0;
  const query = async (text: string, values: unknown[]) => {
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values);
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    return client.query(text, values);
  };
  await client.query('begin');
  const [turns, relay] = [new FairBatchSelector(), { query } as pg.Client as pg.PoolClient];
  const entries = await (kind === 'people' ? turns.takeBatch(relay, 40) : turns.takeWoken(relay, 40));
  await client.end();
  return { blocks, entries: entries.length };
}

describe.each([
  ['one workspace', 1],
  ['a thousand workspaces', 1_000],
])('FairBatchSelector with a backlog of %s', (_, spread) => {
  async function write(availableIn: number, woken = false): Promise<void> {
    // The queue was empty when PostgreSQL last collected statistics, so the statistics never include the backlog.
    await outbox.analyze();
    const rows = Array.from({ length: backlog }, (_, place) => ({
      workspaceId: workspaces[place % spread] ?? null,
      runType: !woken && (place % 2 === 0 || spread === 1) ? 'deliverWebhook' : 'answerChat',
      woken,
      availableIn,
    }));
    await outbox.write(rows);
  }

  it('reads few blocks for each entry', async () => {
    await write(-1);
    const { blocks, entries } = await composeBatch();
    expect(entries).toBe(40);
    expect(blocks).toBeLessThan(40 * 30);
  });

  it('reads few blocks for each run of a crowd, and hardly any for those of people', async () => {
    await write(-1, true);
    expect(await composeBatch()).toMatchObject({ entries: 0 });
    const { blocks, entries } = await composeBatch('crowd');
    expect(entries).toBe(40);
    expect(blocks).toBeLessThan(40 * 30);
  });

  it('reads no deferred entries, except to find which workspaces have some', async () => {
    await write(60);
    const { blocks, entries } = await composeBatch();
    expect(entries).toBe(0);
    expect(blocks).toBeLessThan(spread * 20 + 100);
  });
});
