import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { PoolClient } from 'pg';
import { cutConnection, relayLimits } from '../../db/connection-settings.js';
import { createListener, type Listener } from '../../db/listener.js';
import { outboxChannel } from '../../db/notifier.js';
import { ConnectionPool } from '../../db/pool/connection-source.js';
import { pokeSignal } from '../../workflows/contracts/messages.js';
import { isRunType, type RunEntry, type RunType, workflowIdOf } from '../../workflows/contracts/runs.js';
import type { Logger } from '../logger.js';
import type { RelayMetrics } from '../metrics.js';
import { failureCode, mayPass } from '../temporal/failures.js';
import { type RunOptions, runOptions } from '../temporal/run-options.js';
import { FairBatchSelector } from './fair-batch.js';
import { Gauges } from './gauges.js';
import {
  type DueEntry,
  deleteEntries,
  type Failure,
  isCrowdDue,
  isMoreWaiting,
  retryLater,
} from './outbox.js';

interface RelayOptions {
  /** Connection string of role `wes_relay`. */
  databaseUrl: string;
  temporal: Client;
  logger: Logger;
  metrics: RelayMetrics;
  /** How often it looks without being woken; absent: every five seconds. */
  pollMs?: number;
}

const batchSize = 40;
/** Concurrent batches: while one waits for its slowest entry or commits, another is delivered. */
const concurrentBatches = 2;
/** How many woken runs of a crowd are handed to Temporal before a worker has taken them: what a person waits for is behind those. */
const wokenAtOnce = 8;
/** How long the next of a crowd wait for those before, at most: a run may stand still, or no worker be there. */
const handledWithinMs = 5_000;
/** A batch that takes longer is on a dead connection. PostgreSQL unlocks its rows after the same time. */
const batchAtMostMs = relayLimits.idleInTransactionMs;
/** A relay that has not read the outbox for this long counts as not working. */
const checksAtLeastEveryMs = 30_000;
/** What was committed without a notice is found within this time: its process died, or the notice was lost. */
const pollMs = 5_000;
const maxDelayMs = 15_000;
/** When the outbox is read again that could not be read. */
const retryUnreadMs = 1_000;
/** Retry interval of every waiting entry while Temporal is unavailable. */
const retryPassingMs = 3_000;
/** Number of permanent failures before an entry is parked for a person. */
const attemptsBeforeParking = 20;

/**
 * Delivers the outbox to Temporal, woken after commits, or by polling. Any number of relays may run; if one dies in the
 * middle, the next takes over its rows: delivery is idempotent.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #pool: ConnectionPool;
  readonly #gauges: Gauges;
  readonly #waker = new Waker();
  readonly #listener: Listener;
  /** Wakes the loop of crowds, once a lane has seen that one waits. */
  readonly #crowds = new Waker();
  readonly #alarm = new Alarm(() => this.wake());
  readonly #turns = new FairBatchSelector();
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #polling: NodeJS.Timeout | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: RelayOptions) {
    this.#options = options;
    const { databaseUrl: url } = options;
    this.#pool = new ConnectionPool({
      url,
      name: 'wes-relay',
      size: concurrentBatches + 1,
      limits: relayLimits,
    });
    this.#gauges = new Gauges(url, options.metrics, options.logger);
    this.#listener = createListener({ url, name: 'wes-relay-listen', channel: outboxChannel });
  }

  start(): void {
    const wake = () => this.wake();
    this.#listener.start({ onNotification: wake, onListening: wake });
    this.#polling = setInterval(wake, this.#options.pollMs ?? pollMs);
    this.#gauges.start();
    this.#running = Promise.all([
      ...Array.from({ length: concurrentBatches }, () => this.#run()),
      this.#wakeCrowds(),
    ]);
  }

  wake(): void {
    this.#waker.wake();
  }

  isLooking(): boolean {
    return Date.now() - this.#lookedAt < checksAtLeastEveryMs;
  }

  /** Resolves within fifteen seconds, even if the database does not respond. */
  async stop(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#polling);
    this.#waker.wakeAll();
    this.#crowds.wakeAll();
    await this.#running;
    // What failed until then has set it.
    this.#alarm.stop();
    await Promise.all([this.#listener.close(), this.#gauges.stop(), this.#pool.end()]);
  }

  get #isStopping(): boolean {
    return this.#stop.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      const goOn = await this.#tryBatch(async (client) => {
        const entries = await this.#turns.takeBatch(client, batchSize);
        if (await isCrowdDue(client)) this.#crowds.wake();
        const delivered = await this.#deliverAll(client, entries);
        // If nothing could be delivered, for example while Temporal is unavailable, the other entries would fail as well.
        if (delivered.length === 0) return false;
        return entries.length === batchSize || (await isMoreWaiting(client, entries));
      });
      if (goOn) this.#waker.wake();
      else if (!this.#isStopping) await this.#waker.wait();
    }
  }

  /**
   * Delivers the pokes of crowds, a few at a time, and the next when workers have taken these: the queue of Temporal knows no
   * order among runs of a workspace, so that a crowd in it would delay everybody.
   */
  async #wakeCrowds(): Promise<void> {
    while (!this.#isStopping) {
      const delivered = await this.#tryBatch(async (client) => {
        const entries = await this.#turns.takeWoken(client, wokenAtOnce);
        return this.#deliverAll(client, entries);
      });
      const last = delivered?.at(-1);
      if (last !== undefined) await this.#untilTaken(last);
      else if (!this.#isStopping) await this.#crowds.wait();
    }
  }

  /** Waits until the run has no task for a worker, or stands still in it. What cannot be asked is not waited for. */
  async #untilTaken({ runType, subject }: DueEntry): Promise<void> {
    const { temporal } = this.#options;
    const deadline = Date.now() + handledWithinMs;
    const handle = temporal.workflow.getHandle(workflowIdOf(runType as RunType, subject));
    for (let pauseMs = 5; !this.#isStopping && Date.now() < deadline; pauseMs = Math.min(2 * pauseMs, 100)) {
      try {
        const { raw } = await temporal.withDeadline(deadline, () => handle.describe());
        const { pendingWorkflowTask: task } = raw;
        if (!task || Number(task.attempt) > 1) return;
      } catch {
        return;
      }
      await this.#pause(pauseMs);
    }
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  /** Does `work` in a transaction. @returns undefined if the outbox cannot be read */
  async #tryBatch<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result | undefined> {
    try {
      return await this.#inTransaction(work);
    } catch (error) {
      this.#options.logger.warn({ code: failureCode(error) }, 'the outbox cannot be read');
      // The notice that began it is gone.
      this.#alarm.setFor(retryUnreadMs);
      return undefined;
    }
  }

  async #inTransaction<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect();
    const watchdog = setTimeout(() => cutConnection(client), batchAtMostMs);
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      this.#lookedAt = Date.now();
      this.#options.metrics.looked();
      return result;
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      clearTimeout(watchdog);
      client.release(broken);
    }
  }

  /** Removes what it delivers, and postpones the rest. @returns the delivered entries, in the order in which Temporal answered */
  async #deliverAll(client: PoolClient, entries: readonly DueEntry[]): Promise<DueEntry[]> {
    const delivered: DueEntry[] = [];
    const outcomes = await Promise.all(
      entries.map(async (entry) => {
        const failure = await this.#deliver(entry);
        if (failure === undefined) delivered.push(entry);
        return failure;
      }),
    );
    for (const [index, failure] of outcomes.entries()) {
      if (failure === undefined) continue;
      await retryLater(client, entries[index] as DueEntry, failure);
      if (!failure.park) this.#alarm.setFor(failure.delayMs);
    }
    await deleteEntries(
      client,
      delivered.flatMap(({ id, coalescedIds }) => [id, ...coalescedIds]),
    );
    return delivered;
  }

  /** @returns undefined if delivered, otherwise how it is rescheduled */
  async #deliver(entry: DueEntry): Promise<Failure | undefined> {
    const { temporal, metrics, logger } = this.#options;
    try {
      metrics.delivered(entry.runType, await deliverEntry(temporal, entry));
      return undefined;
    } catch (error) {
      const counts = !mayPass(error);
      const park = counts && entry.attempts + 1 >= attemptsBeforeParking;
      const code = failureCode(error);
      metrics.failed(entry.runType, code);
      logger.warn({ outboxId: entry.id, runType: entry.runType, code, park }, 'outbox entry not delivered');
      const delayMs = counts ? Math.min(500 * 2 ** entry.attempts, maxDelayMs) : retryPassingMs;
      return { code, delayMs, counts, park };
    }
  }
}

class UnknownRunType extends Error {
  override readonly name = 'UnknownRunType';
}

const deadlineMs = 5_000;

type Poke = RunOptions & { signal: typeof pokeSignal; signalArgs: [] };

/** Starts or pokes the run of an entry. What a `closed` run missed is in the database, for the reconciler. */
async function deliverEntry(client: Client, entry: DueEntry): Promise<'delivered' | 'closed'> {
  if (!isOfKnownRun(entry)) throw new UnknownRunType(entry.runType);
  const { runType, action } = entry;
  const options = runOptions(entry);
  const poke: Poke = { ...options, signal: pokeSignal, signalArgs: [] };
  try {
    await client.withDeadline(Date.now() + deadlineMs, async () => {
      if (action === 'start') await client.workflow.start(runType, options);
      else if (mostlyClosed.has(runType)) await startOrPoke(client, runType, poke);
      else await client.workflow.signalWithStart(runType, poke);
    });
    return 'delivered';
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'closed';
    throw error;
  }
}

/** Runs that have ended by the time of most pokes. A start tells them the same as a poke, and costs one Action instead of two. */
const mostlyClosed: ReadonlySet<RunType> = new Set(['answerChat', 'deliverMessages']);

async function startOrPoke(client: Client, runType: RunType, poke: Poke): Promise<void> {
  const { signal: _, signalArgs: __, ...options } = poke;
  try {
    await client.workflow.start(runType, { ...options, workflowIdConflictPolicy: 'FAIL' });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    await client.workflow.signalWithStart(runType, poke);
  }
}

/** `writeOutbox` gives each entry the input of its run type. */
function isOfKnownRun(entry: DueEntry | RunEntry): entry is RunEntry {
  return isRunType(entry.runType);
}

/** Wakes loops that wait: one by one, or the next that comes to wait. */
class Waker {
  #woken = false;
  readonly #waiting: (() => void)[] = [];

  /** Wakes one waiting loop; if none waits, the next call of `wait` returns at once. */
  wake(): void {
    const resume = this.#waiting.shift();
    if (resume === undefined) this.#woken = true;
    else resume();
  }

  wakeAll(): void {
    this.#woken = true;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Resolves when woken. */
  async wait(): Promise<void> {
    if (this.#woken) {
      this.#woken = false;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/** Times that are closer together than this ring once. */
const alarmEveryMs = 250;

/** Rings at each of the times that it was set for, or shortly after. */
class Alarm {
  readonly #ring: () => void;
  readonly #timers = new Map<number, NodeJS.Timeout>();

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  setFor(delayMs: number): void {
    const now = Date.now();
    const slot = Math.ceil((now + delayMs) / alarmEveryMs);
    if (this.#timers.has(slot)) return;
    const ring = () => {
      this.#timers.delete(slot);
      this.#ring();
    };
    this.#timers.set(slot, setTimeout(ring, slot * alarmEveryMs - now));
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
