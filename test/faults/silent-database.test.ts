import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../db/database.js';
import { createLiveListener } from '../../db/live/live-listener.js';
import { createLivePublisher } from '../../db/live/live-publisher.js';
import { writeOutbox } from '../../db/outbox.js';
import type { OutboxCounts, OwedTurns } from '../../runtime/relay/gauges.js';
import { Relay } from '../../runtime/relay/relay.js';
import { startApi } from '../support/api/api.js';
import { queryOnce } from '../support/db/connect.js';
import { emptyOutbox } from '../support/db/empty-outbox.js';
import { type SilentPostgres, silentPostgres } from '../support/faults/silent-postgres.js';
import { waitFor } from '../support/lib/wait-for.js';
import { NotingTemporal } from '../support/temporal/noting-temporal.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const { database: testDatabase, workspace } = useWorkspace();
let postgres: SilentPostgres;
beforeEach(async () => {
  postgres = await silentPostgres(testDatabase.appUrl);
});
afterEach(async () => {
  await postgres.close();
  await emptyOutbox(testDatabase);
});

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const before = Date.now();
  await work();
  return Date.now() - before;
}

const impatient = { connectMs: 500, answerMs: 1_000 };
const openDatabase = (limits = impatient) =>
  new Database({ url: postgres.throughIt(testDatabase.appUrl), poolSize: 2, limits });
const write = (database: Database) =>
  database.inWorkspace(workspace.workspaceId, (tx) => tx('members').update({ description: 'changed' }));

describe('a database that does not respond', () => {
  it('fails pending statements in bounded time with a code, and is used again once it responds', async () => {
    const database = openDatabase();
    await write(database);
    postgres.fallSilent();

    const took = await elapsed(() => expect(write(database)).rejects.toMatchObject({ code: '08006' }));
    expect(took).toBeLessThan(10_000);
    await expect(write(database)).rejects.toMatchObject({ code: '08001' });

    postgres.speak();
    await waitFor('it serves again', () => write(database).then(() => true));
    await database.close();
  });

  it('aborts a transaction at once after a statement without a response', async () => {
    const answerMs = 4_000;
    const database = openDatabase({ ...impatient, answerMs });
    const took = await elapsed(() =>
      expect(
        database.inWorkspace(workspace.workspaceId, async (tx) => {
          await tx('members').update({ description: 'changed' });
          postgres.fallSilent();
          await tx('members').update({ description: 'changed again' });
        }),
      ).rejects.toMatchObject({ code: '08006' }),
    );

    // The timeout for the response occurs once, and not again for the rollback.
    expect(took).toBeLessThan(1.9 * answerMs);
    await database.close();
  });

  it('does not delay closing connections to it', async () => {
    const url = postgres.throughIt(testDatabase.appUrl);
    const database = openDatabase();
    const publisher = createLivePublisher(url);
    const listener = createLiveListener({ url });
    await Promise.all([write(database), write(database)]);
    await new Promise<void>((resolve) => listener.start({ onNotice() {}, onListening: resolve }));
    publisher.chatsChanged(workspace.workspaceId, [1]);
    publisher.outboxWritten();
    await waitFor('all are connected', async () => {
      const rows = await queryOnce(
        testDatabase.superuserUrl,
        `select distinct application_name from pg_stat_activity
         where datname = current_database() and state = 'idle'
           and application_name = 'wes live publisher' and query like '%notify%'`,
      );
      return rows.length === 1;
    });
    postgres.fallSilent();

    const took = await elapsed(() => Promise.all([database.close(), publisher.close(), listener.close()]));

    expect(took).toBeLessThan(5_000);
  });

  it('makes the api not ready within seconds, and ready again once it responds', async () => {
    const database = openDatabase();
    const api = await startApi(database, { runs: { isReachable: async () => true } });
    const isReady = async () => (await api.request('GET', '/health/ready')).status === 200;
    expect(await isReady()).toBe(true);
    postgres.fallSilent();

    await waitFor('it is not ready', async () => !(await isReady()));
    expect((await api.request('GET', '/health/live')).status).toBe(200);

    postgres.speak();
    await waitFor('it is ready again', isReady);
    await api.close();
    await database.close();
  });
});

describe('a relay without responses from the database', () => {
  it('reports the outbox as unmeasured, resumes once the database responds, and stops in bounded time', async () => {
    const temporal = new NotingTemporal();
    const seen: (OutboxCounts | undefined)[] = [];
    let onMeasured = () => {};
    const turns: (OwedTurns | undefined)[] = [];
    let looks = 0;
    const relay = new Relay({
      databaseUrl: postgres.throughIt(testDatabase.relayUrl),
      temporal: temporal.client,
      logger: pino({ level: 'silent' }),
      metrics: {
        delivered() {},
        failed() {},
        observe(standing) {
          seen.push(standing);
          onMeasured();
        },
        observeTurns: (owed) => turns.push(owed),
        observeDeliveries() {},
        observeScheduled() {},
        observeErasures() {},
        looked() {
          looks += 1;
        },
      },
    });
    const poke = async () => {
      const subject = randomUUID();
      const input = { chatId: 1, memberId: 1, channel: 'phone-sms' };
      await workspace.within((tx) =>
        writeOutbox(tx, { runType: 'answerChat', subject, action: 'poke', input }),
      );
      return subject;
    };
    expect(relay.isLooking()).toBe(false);
    relay.start();
    const first = await poke();
    await waitFor('the first came', () => temporal.of(first).length === 1);
    await waitFor('its look is over', () => relay.isLooking());

    // In the middle of a pass, with most of it left to measure.
    await new Promise<void>((resolve) => {
      onMeasured = () => {
        onMeasured = () => {};
        postgres.fallSilent();
        resolve();
      };
    });
    const second = await poke();
    await waitFor('it cannot be measured', () => seen.length > 1 && seen.at(-1) === undefined, 25_000);
    await waitFor('nor can turns', () => turns.length > 1 && turns.at(-1) === undefined, 25_000);
    const checksSoFar = looks;
    postgres.speak();

    await waitFor('the second came', () => temporal.of(second).length >= 1, 25_000);
    await waitFor('it looks again', () => looks > checksSoFar);
    await waitFor('it is measured again', () => seen.at(-1)?.oldestSeconds !== undefined, 25_000);
    await waitFor('and so are turns', () => turns.at(-1)?.oldestSeconds !== undefined, 25_000);

    postgres.fallSilent();
    expect(await elapsed(() => relay.stop())).toBeLessThan(17_000);
    // Longer than its waits together, each of which says what it waited for.
  }, 240_000);
});
