import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FairBatchSelector } from '../../runtime/relay/fair-batch.js';
import type { DueEntry } from '../../runtime/relay/outbox.js';
import { OutboxRows, type OutboxRowWanted } from '../support/db/outbox-rows.js';
import { useDatabase } from '../support/db/use-database.js';

const size = 40;

let outbox: OutboxRows;
let workspaces: number[];
const clients: pg.Client[] = [];

const testDatabase = useDatabase();

beforeAll(async () => {
  outbox = await OutboxRows.open(testDatabase.superuserUrl);
  workspaces = await outbox.createWorkspaces(200);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
  await outbox.clear();
});
afterAll(async () => {
  await outbox.close();
});

/** A connection with the role of the relay, in a transaction. */
async function relayConnection(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: testDatabase.relayUrl });
  clients.push(client);
  await client.connect();
  await client.query('begin');
  return client;
}

/** The batch of a relay that has just started. */
const takeBatch = async () => new FairBatchSelector().takeBatch(await relayConnection(), size);

const workspace = (place: number): number => workspaces[place] ?? Number.NaN;

const many = (count: number, row: OutboxRowWanted): OutboxRowWanted[] => Array(count).fill(row);

/** The number of entries of each workspace, ordered by workspace. */
function shares(entries: readonly DueEntry[], kind: 'interactive' | 'bulk'): number[] {
  const counts = new Map<number, number>();
  for (const { workspaceId, runType } of entries) {
    if ((runType === 'deliverWebhook') !== (kind === 'bulk')) continue;
    counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
  }
  return [...counts].sort(([one], [other]) => one - other).map(([, count]) => count);
}

describe('FairBatchSelector with several workspaces', () => {
  it('includes a single entry in the next batch, whatever the backlog of another workspace', async () => {
    await outbox.write(many(500, { workspaceId: workspace(0) }));
    const [single] = await outbox.write([{ workspaceId: workspace(1) }]);
    const entries = await takeBatch();
    expect(entries.map(({ id }) => id)).toContain(single);
    expect(entries).toHaveLength(size);
  });

  it('includes entries without a workspace', async () => {
    await outbox.write(many(500, { workspaceId: workspace(0) }));
    await outbox.write(many(500, { workspaceId: workspace(1) }));
    const [code] = await outbox.write([{ workspaceId: null, runType: 'sendLoginCode' }]);
    const entries = await takeBatch();
    expect(entries).toContainEqual(expect.objectContaining({ id: code, workspaceId: 0 }));
  });

  it('gives the unused share of a workspace to the others', async () => {
    const rows = [5, 3, 200, 200].flatMap((count, place) => many(count, { workspaceId: workspace(place) }));
    await outbox.write(rows);
    const entries = await takeBatch();
    expect(shares(entries, 'interactive')).toEqual([5, 3, 16, 16]);
  });

  it('continues with the workspace after the last batch', async () => {
    await outbox.write(workspaces.flatMap((workspaceId) => many(2, { workspaceId })));
    const turns = new FairBatchSelector();
    const client = await relayConnection();
    const seen: number[] = [];

    for (let batch = 0; batch < workspaces.length / size; batch += 1) {
      const entries = await turns.takeBatch(client, size);
      seen.push(...entries.map(({ workspaceId }) => workspaceId));
      await client.query('delete from outbox where id = any($1)', [entries.map(({ id }) => id)]);
    }

    expect(seen.sort((one, other) => one - other)).toEqual(workspaces);
  });

  it('takes the oldest entries of each workspace first', async () => {
    const ids = await outbox.write(
      Array.from({ length: 100 }, (_, age) => ({ workspaceId: workspace(0), availableIn: age - 200 })),
    );
    const entries = await takeBatch();
    expect(entries.map(({ id }) => id)).toEqual(ids.slice(0, size));
  });
});

describe('the shares of a batch', () => {
  const webhooks = (count: number) => many(count, { workspaceId: workspace(0), runType: 'deliverWebhook' });
  const interactive = (count: number) => many(count, { workspaceId: workspace(0) });

  it.each([
    ['a quarter is for webhooks, where both have enough', 100, 100, [30, 10]],
    ['interactive entries get all of it if there are no webhooks', 100, 0, [40, 0]],
    ['webhooks get all of it if there is nothing interactive', 0, 100, [0, 40]],
    ['webhooks have what is left', 12, 100, [12, 28]],
    ['interactive entries get what webhooks leave', 100, 4, [36, 4]],
    ['nothing is left where there is little', 3, 4, [3, 4]],
  ])('are correct: %s', async (_, ofOne, ofOther, expected) => {
    await outbox.write([...webhooks(ofOther), ...interactive(ofOne)]);
    const entries = await takeBatch();
    const taken = (['interactive', 'bulk'] as const).map((kind) => shares(entries, kind)[0] ?? 0);
    expect(taken).toEqual(expected);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  });
});

describe('several relays', () => {
  it('share the backlog of one workspace and never take the same entry', async () => {
    await outbox.write(many(500, { workspaceId: workspace(0) }));

    const relays = await Promise.all(Array.from({ length: 6 }, relayConnection));
    const take = (client: pg.Client) => new FairBatchSelector().takeBatch(client, size);
    const batches = await Promise.all(relays.map(take));

    const ids = batches.flat().map(({ id }) => id);
    expect(ids).toHaveLength(6 * size);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('skip entries that others hold, and take the next ones', async () => {
    await outbox.write(workspaces.map((workspaceId) => ({ workspaceId })));
    const relays = await Promise.all(Array.from({ length: 6 }, relayConnection));
    const batches: DueEntry[][] = [];
    for (const client of relays) batches.push(await new FairBatchSelector().takeBatch(client, size));
    expect(batches.map((entries) => entries.length)).toEqual([size, size, size, size, size, 0]);
  });

  it('leave all entries of a run to the relay that holds one of them', async () => {
    const subject = randomUUID();
    await outbox.write(many(3, { workspaceId: workspace(0), subject }));
    const one = await relayConnection();
    const entries = await new FairBatchSelector().takeBatch(one, size);

    const other = await takeBatch();
    await one.query('delete from outbox where id = $1', [entries[0]?.id]);
    await one.query('commit');
    const afterwards = await takeBatch();

    expect([entries.length, other.length, afterwards.length]).toEqual([1, 0, 1]);
  });
});

it('FairBatchSelector takes due entries behind deferred and parked ones', async () => {
  const row = { workspaceId: workspace(0) };
  await outbox.write([
    ...many(100, { ...row, availableIn: 60 }),
    ...many(100, { ...row, parked: true, availableIn: -60 }),
  ]);
  const due = await outbox.write(many(3, row));

  const entries = await takeBatch();

  expect(entries.map(({ id }) => id)).toEqual(due);
});

it('FairBatchSelector keeps the later entries of a run behind its first one, even if that is deferred', async () => {
  const subject = randomUUID();
  const entry = { workspaceId: workspace(0), subject };
  await outbox.write([{ ...entry, availableIn: 60 }, entry]);
  expect(await takeBatch()).toEqual([]);
});
