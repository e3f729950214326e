import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../db/database.js';
import { createLivePublisher } from '../../db/live/live-publisher.js';
import { type OutboxEntry, writeOutbox, writeOutboxOfNoWorkspace } from '../../db/outbox.js';
import type { RelayMetrics } from '../../runtime/metrics.js';
import type { OutboxCounts } from '../../runtime/relay/gauges.js';
import { Relay } from '../../runtime/relay/relay.js';
import { type OwnPostgres, startOwnPostgres } from '../support/faults/own-postgres.js';
import { waitFor } from '../support/lib/wait-for.js';
import { NotingTemporal } from '../support/temporal/noting-temporal.js';
import { createWorkspace } from '../support/workspace/factories.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const logger = pino({ level: 'silent' });

const noMetrics: RelayMetrics = {
  delivered() {},
  failed() {},
  observe() {},
  observeTurns() {},
  observeDeliveries() {},
  observeScheduled() {},
  observeErasures() {},
  looked() {},
};

let admin: pg.Client;
let temporal: NotingTemporal;
const relays: Relay[] = [];

const { database: testDatabase, workspace } = useWorkspace();

beforeAll(async () => {
  admin = new pg.Client({ connectionString: testDatabase.relayUrl });
  await admin.connect();
});
beforeEach(() => {
  temporal = new NotingTemporal();
});
afterEach(async () => {
  for (const relay of relays.splice(0)) await relay.stop();
  await admin.query('delete from outbox');
});
afterAll(async () => {
  await admin.end();
});

/** Longer than any test: what is delivered then was not found by polling. */
const hardlyEverMs = 600_000;

function startRelay(metrics = noMetrics, databaseUrl = testDatabase.relayUrl, pollMs?: number): Relay {
  const polling = pollMs === undefined ? {} : { pollMs };
  const relay = new Relay({ databaseUrl, temporal: temporal.client, logger, metrics, ...polling });
  relays.push(relay);
  relay.start();
  return relay;
}

function write(
  subject: string,
  action: 'start' | 'poke',
  runType = 'answerChat',
  database = workspace.database,
  { workspaceId } = workspace,
  woken = false,
) {
  const input = { chatId: 1, memberId: 1, channel: 'phone-sms' };
  const entry = { runType, subject, action, input, woken } as OutboxEntry;
  return database.inWorkspace(workspaceId, (tx) => writeOutbox(tx, entry));
}

/** Makes Temporal answer only after the returned function is called. */
function holdAnswers(): () => void {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  temporal.answer = () => held;
  return release;
}

/** Makes Temporal answer with this gRPC code; 14 is that of a server that is away. */
function failAnswers(code: number): void {
  const failure = Object.assign(new Error(`code ${code}`), { code, details: '', metadata: {} });
  temporal.answer = () => Promise.reject(failure);
}

const rows = async (client: Pick<pg.Client, 'query'> = admin) =>
  (await client.query('select attempts, parked_at, last_error_code, available_at from outbox order by id'))
    .rows;

const emptied = () => waitFor('the outbox is empty', async () => (await rows()).length === 0);

describe('the relay', () => {
  it('delivers the entries of a run in order, one at a time, with several relays', async () => {
    const subjects = Array.from({ length: 8 }, () => randomUUID());
    for (const subject of subjects) {
      await write(subject, 'start');
      await write(subject, 'poke');
      await write(subject, 'start');
    }
    temporal.answer = () => new Promise((resolve) => setTimeout(resolve, 5));

    startRelay();
    startRelay();

    await emptied();
    for (const subject of subjects) expect(temporal.of(subject)).toEqual(['start', 'poke', 'start']);
    expect(temporal.maxInFlight).toBe(1);
  });

  it('delivers many pokes of a run as one', async () => {
    const subject = randomUUID();
    for (let count = 0; count < 20; count += 1) await write(subject, 'poke');
    startRelay();
    await emptied();
    expect(temporal.of(subject)).toEqual(['poke']);
  });

  it('delivers a poke that is written while another one is under way', async () => {
    const subject = randomUUID();
    const release = holdAnswers();
    const relay = startRelay();
    await write(subject, 'poke');
    await waitFor('the first is under way', () => temporal.of(subject).length === 1);
    await write(subject, 'poke');
    relay.wake();

    release();
    temporal.answer = async () => undefined;

    await waitFor('the second came', () => temporal.of(subject).length === 2);
    await emptied();
  });

  it('delivers entries that another relay has taken and does not finish', async () => {
    const subject = randomUUID();
    const thaw = holdAnswers();
    await write(subject, 'poke');
    startRelay();
    await waitFor('it has the entry', () => temporal.of(subject).length === 1);
    temporal.answer = async () => undefined;

    startRelay();

    await emptied().finally(() => thaw());
    expect(temporal.of(subject)).toEqual(['poke', 'poke']);
  });

  it('is woken at once by a notification', async () => {
    startRelay(noMetrics, testDatabase.relayUrl, hardlyEverMs);
    const publisher = createLivePublisher(testDatabase.appUrl);
    const database = new Database({ url: testDatabase.appUrl, onOutboxWritten: publisher.outboxWritten });
    const first = randomUUID();
    await write(first, 'poke');
    await waitFor('it listens', () => {
      publisher.outboxWritten();
      return temporal.of(first).length === 1;
    });

    for (let count = 0; count < 5; count += 1) {
      const subject = randomUUID();
      await write(subject, 'poke', 'answerChat', database);
      await waitFor('it came', () => temporal.of(subject).length === 1);
    }

    await Promise.all([publisher.close(), database.close()]);
  });

  it('retries with growing delays while Temporal is away, and never gives up', async () => {
    failAnswers(14);
    const subject = randomUUID();
    await write(subject, 'start');
    const relay = startRelay();
    for (let attempt = 1; attempt <= 25; attempt += 1) {
      await waitFor('it was tried', () => temporal.requests.length >= attempt);
      await waitFor('it was put off', async () => (await rows())[0]?.last_error_code === 'grpc_14');
      await admin.query('update outbox set available_at = now()');
      relay.wake();
    }

    expect((await rows())[0]).toMatchObject({ parked_at: null });
    temporal.answer = async () => undefined;
    await admin.query('update outbox set available_at = now()');
    relay.wake();
    await emptied();
  });

  it('retries without counting attempts while Temporal rejects the credential', async () => {
    for (const code of [7, 16]) {
      failAnswers(code);
      const subject = randomUUID();
      await write(subject, 'start');
      const relay = startRelay();
      await waitFor('it was put off', async () => (await rows())[0]?.last_error_code === `grpc_${code}`);
      expect((await rows())[0]).toMatchObject({ attempts: 0, parked_at: null });
      temporal.answer = async () => undefined;
      await admin.query('update outbox set available_at = now()');
      relay.wake();
      await emptied();
    }
  });

  it('delivers at once what was written for a run during a delivery to it', async () => {
    const subject = randomUUID();
    const release = holdAnswers();
    const relay = startRelay(noMetrics, testDatabase.relayUrl, hardlyEverMs);
    await write(subject, 'poke');
    relay.wake();
    await waitFor('the first is under way', () => temporal.of(subject).length === 1);
    // Whoever looks for it now passes over it: nobody looks again for this one, unless the lane that delivers does.
    await write(subject, 'poke');
    temporal.answer = async () => undefined;
    release();

    await waitFor('the second came', () => temporal.of(subject).length === 2);
    await emptied();
  });

  it('tries again at its time what Temporal has refused, although nobody wakes it', async () => {
    const relay = startRelay(noMetrics, testDatabase.relayUrl, hardlyEverMs);
    await write(randomUUID(), 'start', 'noSuchRun');
    relay.wake();

    await waitFor('it was tried again', async () => (await rows())[0]?.attempts >= 2);
  });

  it('tries each again at its time, also when another was due before it', async () => {
    const relay = startRelay(noMetrics, testDatabase.relayUrl, hardlyEverMs);
    const [later, sooner] = [randomUUID(), randomUUID()];
    failAnswers(14);
    await write(later, 'poke');
    relay.wake();
    await waitFor('the one was refused', async () => (await rows())[0]?.last_error_code !== null);
    await write(sooner, 'start', 'noSuchRun');
    relay.wake();
    await waitFor('the other was refused', async () => (await rows())[1]?.attempts >= 1);
    await admin.query('delete from outbox where subject = $1', [sooner]);
    temporal.answer = async () => undefined;

    await emptied();
  });

  it('parks an entry after twenty attempts with a permanent error, and reports it', async () => {
    const seen: (OutboxCounts | undefined)[] = [];
    const relay = startRelay({ ...noMetrics, observe: (standing) => seen.push(standing) });
    const [unknown, fine] = [randomUUID(), randomUUID()];
    await write(unknown, 'start', 'noSuchRun');
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      relay.wake();
      await waitFor(`attempt ${attempt} was made`, async () => (await rows())[0]?.attempts === attempt);
      await admin.query('update outbox set available_at = now()');
    }

    const parked = { attempts: 20, last_error_code: 'UnknownRunType', parked_at: expect.any(Date) };
    expect((await rows())[0]).toMatchObject(parked);
    await write(fine, 'start');
    relay.wake();
    await waitFor('others go on', () => temporal.of(fine).length === 1);
    const told = { waiting: 0, parked: 1 };
    await waitFor('it is told', () => isDeepStrictEqual(seen.at(-1)?.counts.interactive, told));
  });
});

describe('the relay with a crowd that one change has woken', () => {
  const wakeCrowd = async (count: number) => {
    const subjects = Array.from({ length: count }, () => randomUUID());
    await Promise.all(
      subjects.map((subject) => write(subject, 'poke', 'answerChat', undefined, undefined, true)),
    );
    return subjects;
  };

  it('delivers a few, and the next when workers have taken those; a person goes before', async () => {
    let isBusy = true;
    temporal.pendingAttempt = () => (isBusy ? 1 : undefined);
    const crowd = await wakeCrowd(30);
    const relay = startRelay();
    await waitFor('the first are under way', () => temporal.requests.length === 8);

    const person = crowd.at(-1) as string;
    await write(person, 'poke');
    relay.wake();
    await waitFor('the person came', () => temporal.of(person).length === 1);
    expect(temporal.requests).toHaveLength(9);

    isBusy = false;
    await emptied();
    for (const subject of crowd) expect(temporal.of(subject).length).toBe(subject === person ? 2 : 1);
  });

  it('delivers all of it after one notice', async () => {
    const relay = startRelay(noMetrics, testDatabase.relayUrl, hardlyEverMs);
    const listening = randomUUID();
    await write(listening, 'poke');
    await waitFor('it listens', () => {
      relay.wake();
      return temporal.of(listening).length > 0;
    });
    const crowd = await wakeCrowd(30);
    relay.wake();
    await emptied();
    expect(temporal.requests).toHaveLength(crowd.length + 1);
  });

  it('goes on behind a run whose workflow task fails each time', async () => {
    temporal.pendingAttempt = () => 2;
    const crowd = await wakeCrowd(30);
    startRelay();
    await emptied();
    expect(temporal.requests).toHaveLength(crowd.length);
  });

  it('tells how many of them wait', async () => {
    const seen: (OutboxCounts | undefined)[] = [];
    temporal.pendingAttempt = () => 1;
    await wakeCrowd(10);
    startRelay({ ...noMetrics, observe: (counts) => seen.push(counts) });
    await waitFor('it is told', () => (seen.at(-1)?.counts.woken.waiting ?? 0) > 0);
    expect(seen.at(-1)?.counts.interactive.waiting).toBe(0);
    temporal.pendingAttempt = () => undefined;
    await emptied();
  });
});

describe('the relay with a backlog', () => {
  it('delivers the entries of another workspace with the next batches, whatever the backlog of one', async () => {
    const other = await createWorkspace(workspace.database);
    const backlog = Array.from({ length: 400 }, () => randomUUID());
    await Promise.all(backlog.map((subject) => write(subject, 'start', 'deliverWebhook')));
    const release = holdAnswers();
    const relay = startRelay();
    const underWay = 80;
    await waitFor('its lanes are full', () => temporal.requests.length === underWay);
    const [webhook, login] = [randomUUID(), randomUUID()];
    await write(webhook, 'start', 'deliverWebhook', workspace.database, other);
    await workspace.database.inIdentity((tx) =>
      writeOutboxOfNoWorkspace(tx, {
        runType: 'sendLoginCode',
        subject: login,
        action: 'start',
        input: { loginCodeUuid: login, channel: 'email' },
      }),
    );
    relay.wake();

    // Each lane takes one batch more: of two at work, one may get far ahead.
    const releaseNext = holdAnswers();
    release();
    await waitFor('its lanes are full again', () => temporal.requests.length === 2 * underWay);

    for (const subject of [webhook, login]) expect(temporal.of(subject)).toHaveLength(1);
    releaseNext();
    await emptied();
  });

  it('limits the rate of requests to a Temporal that is away, whatever the backlog', async () => {
    const backlog = Array.from({ length: 400 }, () => randomUUID());
    await Promise.all(backlog.map((subject) => write(subject, 'start')));
    failAnswers(14);

    startRelay();

    // One batch for each lane, and one when it begins to listen.
    await waitFor('it goes on', () => temporal.requests.length > 3 * 40);
    const [first, last] = [temporal.requests[0], temporal.requests.at(-1)];
    expect(Number(last?.at) - Number(first?.at)).toBeGreaterThan(900);
  });
});

describe('the relay with a database that restarts', () => {
  let postgres: OwnPostgres;

  beforeAll(async () => {
    postgres = await startOwnPostgres();
  });
  afterAll(() => postgres.stop());

  it('continues without being restarted', async () => {
    const own = await createWorkspace(postgres.database);
    const put = (subject: string) => write(subject, 'poke', 'answerChat', postgres.database, own);
    startRelay(noMetrics, postgres.relayUrl);
    const [before, after] = [randomUUID(), randomUUID()];
    const release = holdAnswers();
    await put(before);
    await waitFor('the first is under way', () => temporal.of(before).length === 1);

    // In the middle of a batch: the connection breaks while no query runs on it.
    await postgres.kill();
    temporal.answer = async () => undefined;
    release();
    await postgres.start();
    await waitFor('it can be written', async () => {
      await put(after);
      return true;
    });

    await waitFor('the second came', () => temporal.of(after).length >= 1);
    // The relay did not learn that the first delivery succeeded. The delivery is repeated, which is harmless.
    expect(temporal.of(before).length).toBeGreaterThanOrEqual(2);
    await relays.splice(0)[0]?.stop();
  });
});
