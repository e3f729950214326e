import type { Client } from '@temporalio/client';
import pg from 'pg';
import type { Logger } from '../logger.js';
import type { RelayMetrics } from '../metrics.js';
import { failureCode, mayPass } from '../temporal/failures.js';
import { deliverEntry } from './deliver-entry.js';
import { countEntries } from './outbox-counts.js';
import type { DueEntry } from './outbox-reader.js';
import { deleteEntries, type Failure, putOff } from './outbox-writer.js';
import { Turns } from './turns.js';
import { Waker } from './waker.js';

export interface RelayOptions {
  /** Connection string of role `wes_relay`. */
  databaseUrl: string;
  temporal: Client;
  logger: Logger;
  metrics: RelayMetrics;
}

const batchSize = 40;
/** Batches under way at once: while one waits for its slowest entry, or commits, another is brought. */
const lanes = 2;
/** Longer than an entry takes (`deliver-entry.ts`): whoever holds rows for this long is frozen, or gone without a word. */
const holdAtMostMs = 10_000;
/** How often entries are counted at most: it reads the whole outbox. */
const observeEveryMs = 5_000;
const pollMs = 1_000;
const longestDelayMs = 15_000;
/** While Temporal is away, every waiting entry is tried this often. */
const retryPassingMs = 3_000;
/** Failures that waiting does not mend, before an entry is parked for a person. */
const attemptsBeforeParking = 20;

/**
 * Delivers the outbox to Temporal: woken after commits, polling as a net. Any number of relays may run. A relay
 * that dies in the middle leaves its rows to the next: delivering is idempotent.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #pool: pg.Pool;
  readonly #waker: Waker;
  readonly #turns = new Turns();
  #stopping = false;
  #running: Promise<unknown> = Promise.resolve();
  #observedAt = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#pool = new pg.Pool({
      connectionString: options.databaseUrl,
      max: lanes + 1,
      application_name: 'wes-relay',
      // PostgreSQL ends the connection: the rows are free for others, and the transaction ends as if it had died.
      idle_in_transaction_session_timeout: holdAtMostMs,
    });
    // A connection that breaks is replaced by the pool, and one in use fails its next query. Without listeners
    // either would end the process: the pool's own is for idle connections alone.
    this.#pool.on('error', (error) =>
      options.logger.warn({ code: failureCode(error) }, 'relay connection lost'),
    );
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.#waker = new Waker(options.databaseUrl, options.logger);
  }

  start(): void {
    this.#waker.start();
    this.#running = Promise.all(Array.from({ length: lanes }, () => this.#run()));
  }

  /** There is something new, as far as this process knows. */
  wake(): void {
    this.#waker.wake();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#waker.wakeAll();
    await this.#running;
    await this.#waker.stop();
    await this.#pool.end();
  }

  async #run(): Promise<void> {
    const { logger } = this.#options;
    while (!this.#stopping) {
      let goOn = false;
      try {
        goOn = await this.#deliverBatch();
      } catch (error) {
        logger.warn({ code: failureCode(error) }, 'the outbox cannot be read');
      }
      if (goOn) this.#waker.wake();
      else if (!this.#stopping) await this.#waker.wait(pollMs);
    }
  }

  /** @returns whether to go on at once */
  async #deliverBatch(): Promise<boolean> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const entries = await this.#turns.takeBatch(client, batchSize);
      const outcomes = await Promise.all(entries.map((entry) => this.#deliver(entry)));
      const done: number[] = [];
      for (const [index, outcome] of outcomes.entries()) {
        const entry = entries[index] as DueEntry;
        if (outcome === undefined) done.push(entry.id, ...entry.coveredIds);
        else await putOff(client, entry, outcome);
      }
      await deleteEntries(client, done);
      await client.query('commit');
      await this.#observe(client);
      // Where nothing comes through, as while Temporal is away, the rest would only be put off as well.
      return entries.length === batchSize && done.length > 0;
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async #observe(client: pg.PoolClient): Promise<void> {
    if (Date.now() - this.#observedAt < observeEveryMs) return;
    this.#observedAt = Date.now();
    this.#options.metrics.observe(await countEntries(client));
  }

  /** @returns undefined when delivered, else how it is put off */
  async #deliver(entry: DueEntry): Promise<Failure | undefined> {
    const { temporal, metrics, logger } = this.#options;
    try {
      const result = await deliverEntry(temporal, entry);
      metrics.delivered(entry.runType, result);
      return undefined;
    } catch (error) {
      const counts = !mayPass(error);
      const park = counts && entry.attempts + 1 >= attemptsBeforeParking;
      const code = failureCode(error);
      metrics.failed(entry.runType, code);
      logger.warn({ outboxId: entry.id, runType: entry.runType, code, park }, 'outbox entry not delivered');
      const delayMs = counts ? Math.min(500 * 2 ** entry.attempts, longestDelayMs) : retryPassingMs;
      return { code, delayMs, counts, park };
    }
  }
}
