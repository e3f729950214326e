import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FairBatchSelector } from '../../runtime/relay/fair-batch.js';
import type { DueEntry } from '../../runtime/relay/outbox.js';
import { OutboxRows, type OutboxRowWanted } from '../support/db/outbox-rows.js';
import { useDatabase } from '../support/db/use-database.js';
import { oneOf, seeded } from '../support/lib/hostile-texts.js';

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

describe('runs that are woken in a crowd', () => {
  it('have batches of their own, in which workspaces take turns', async () => {
    await outbox.write(many(100, { workspaceId: workspace(0), woken: true }));
    const single = await outbox.write([{ workspaceId: workspace(1), woken: true }]);
    const person = await outbox.write([{ workspaceId: workspace(0) }]);

    expect((await takeBatch()).map(({ id }) => id)).toEqual(person);
    const crowd = await new FairBatchSelector().takeWoken(await relayConnection(), 8);
    expect(crowd).toHaveLength(8);
    expect(crowd.map(({ id }) => id)).toEqual(expect.arrayContaining(single));
  });

  it('do not hold up a poke of the same run for a person, nor does that them', async () => {
    const run = { workspaceId: workspace(0), subject: randomUUID(), action: 'poke' } as const;
    const crowd = await outbox.write(many(3, { ...run, woken: true }));
    const [person] = await outbox.write([run]);

    expect(await takeBatch()).toMatchObject([{ id: person, coalescedIds: [] }]);
    const taken = await new FairBatchSelector().takeWoken(await relayConnection(), 8);
    expect(taken).toMatchObject([{ id: crowd[0], coalescedIds: crowd.slice(1) }]);
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

const smallSize = 20;
/** The part of a small batch for interactive entries. The rest is for webhooks. */
const interactiveSize = 15;

type Row = OutboxRowWanted & { id: number; workspaceId: number; runType: string; subject: string };

/**
 * Some workspaces have few entries and some have many. Runs can have several entries, and some are deferred or parked.
 */
async function writeBacklog(random: () => number): Promise<Row[]> {
  const crowd = workspaces.slice(0, 1 + Math.floor(random() ** 2 * 60));
  const rows = Array.from({ length: 20 + Math.floor(random() * 300) }, () => {
    const runType = oneOf(random, ['answerChat', 'runAssignment', 'deliverWebhook', 'deliverWebhook']);
    return {
      workspaceId: crowd[Math.floor(random() ** 3 * crowd.length)] ?? 0,
      runType,
      subject: randomUUID(),
      action: oneOf(random, ['start', 'poke'] as const),
      availableIn: random() < 0.2 ? 60 : -Math.floor(random() * 60),
      parked: random() < 0.1,
    };
  });
  const told = rows.map((row) => {
    if (random() > 0.3) return row;
    const { workspaceId, runType, subject } = oneOf(random, rows);
    return { ...row, workspaceId, runType, subject };
  });
  const ids = await outbox.write(told);
  return told.map((row, place) => ({ ...row, id: ids[place] ?? Number.NaN }));
}

const runOf = ({ runType, subject }: { runType: string; subject: string }) => `${runType} ${subject}`;

/** The entries that a relay may take: those that are due and the first of their run. */
function takeable(rows: readonly Row[]): Row[] {
  const heads = new Map<string, Row>();
  for (const row of rows) if (!row.parked && !heads.has(runOf(row))) heads.set(runOf(row), row);
  return [...heads.values()].filter(({ availableIn = 0 }) => availableIn <= 0);
}

const isWebhook = ({ runType }: { runType: string }) => runType === 'deliverWebhook';

function countByWorkspace(rows: readonly { workspaceId: number }[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { workspaceId } of rows) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
  return counts;
}

function expectFair(batch: readonly DueEntry[], due: readonly Row[]): void {
  const taken = new Set(batch.map(({ id }) => id));
  expect(due.filter(({ id }) => taken.has(id))).toHaveLength(batch.length);
  expect(batch).toHaveLength(Math.min(smallSize, due.length));
  for (const [ofKind, share] of [
    [isWebhook, smallSize - interactiveSize],
    [(row: { runType: string }) => !isWebhook(row), interactiveSize],
  ] as const) {
    const [entries, candidates] = [batch.filter(ofKind), due.filter(ofKind)];
    expect(entries.length).toBeGreaterThanOrEqual(Math.min(share, candidates.length));
    expectTurns(entries, candidates);
  }
}

/** No workspace gets two more entries than one that has entries left, and each gets its oldest ones. */
function expectTurns(entries: readonly DueEntry[], candidates: readonly Row[]): void {
  const taken = countByWorkspace(entries);
  const most = Math.max(0, ...taken.values());
  for (const [workspaceId, count] of countByWorkspace(candidates)) {
    const had = taken.get(workspaceId) ?? 0;
    if (had < count) expect(had).toBeGreaterThanOrEqual(most - 1);
    const oldestFirst = candidates
      .filter((row) => row.workspaceId === workspaceId)
      .sort((one, other) => (one.availableIn ?? 0) - (other.availableIn ?? 0) || one.id - other.id);
    expect(ascending(entries.filter((entry) => entry.workspaceId === workspaceId))).toEqual(
      ascending(oldestFirst.slice(0, had)),
    );
  }
}

const ascending = (rows: readonly { id: number }[]) =>
  rows.map(({ id }) => id).sort((one, other) => one - other);

/** Delivers the whole backlog, and checks every batch against the entries that it could have taken. */
async function deliverAll(client: pg.Client, turns: FairBatchSelector, rows: readonly Row[]): Promise<Row[]> {
  let left = [...rows];
  for (;;) {
    await client.query('begin');
    const batch = await turns.takeBatch(client, smallSize);
    expectFair(batch, takeable(left));
    const done = batch.flatMap(({ id, coalescedIds }) => [id, ...coalescedIds]);
    await client.query('delete from outbox where id = any($1)', [done]);
    await client.query('commit');
    left = left.filter(({ id }) => !done.includes(id));
    if (batch.length === 0) return left;
  }
}

it.each(Array.from({ length: 12 }, (_, seed) => seed + 1))(
  'FairBatchSelector is fair through the whole of a random backlog (seed %i)',
  async (seed) => {
    const rows = await writeBacklog(seeded(seed));
    const turns = new FairBatchSelector();
    const client = await relayConnection();
    await client.query('commit');

    const waiting = await deliverAll(client, turns, rows);
    await outbox.makeAllDue();
    const due = waiting.map((row) => ({ ...row, availableIn: 0 }));
    const left = await deliverAll(client, turns, due);

    expect(left.filter(({ parked }) => !parked)).toEqual([]);
    expect(await outbox.left()).toEqual(ascending(rows.filter(({ parked }) => parked)));
  },
);
