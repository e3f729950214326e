import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FairBatchSelector } from '../../runtime/relay/fair-batch.js';
import type { DueEntry } from '../../runtime/relay/outbox.js';
import { OutboxRows, type OutboxRowWanted } from '../support/db/outbox-rows.js';
import { useDatabase } from '../support/db/use-database.js';
import { oneOf, seeded } from '../support/lib/hostile-texts.js';

const size = 20;
/** The part of the batch for interactive entries. The rest is for webhooks. */
const interactiveSize = 15;

type Row = OutboxRowWanted & { id: number; workspaceId: number; runType: string; subject: string };

const testDatabase = useDatabase();
let outbox: OutboxRows;
let client: pg.Client;
let workspaces: number[];

beforeAll(async () => {
  outbox = await OutboxRows.open(testDatabase.superuserUrl);
  workspaces = await outbox.createWorkspaces(60);
  client = new pg.Client({ connectionString: testDatabase.relayUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await outbox.close();
});

/**
 * Some workspaces have few entries and some have many. Runs can have several entries, and some are deferred or parked.
 */
async function writeBacklog(random: () => number): Promise<Row[]> {
  const crowd = workspaces.slice(0, 1 + Math.floor(random() ** 2 * workspaces.length));
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
  expect(batch).toHaveLength(Math.min(size, due.length));
  for (const [ofKind, share] of [
    [isWebhook, size - interactiveSize],
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
async function deliverAll(turns: FairBatchSelector, rows: readonly Row[]): Promise<Row[]> {
  let left = [...rows];
  for (;;) {
    await client.query('begin');
    const batch = await turns.takeBatch(client, size);
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

    const waiting = await deliverAll(turns, rows);
    await outbox.makeAllDue();
    const left = await deliverAll(
      turns,
      waiting.map((row) => ({ ...row, availableIn: 0 })),
    );

    expect(left.filter(({ parked }) => !parked)).toEqual([]);
    expect(await outbox.left()).toEqual(ascending(rows.filter(({ parked }) => parked)));
    await outbox.clear();
  },
);
