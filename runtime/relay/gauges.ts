import pg from 'pg';
import { closeConnection } from '../../db/close-connection.js';
import { connectionSettings, noticeLimits } from '../../db/connection-settings.js';
import type { Logger } from '../logger.js';
import type { RelayMetrics } from '../metrics.js';
import { failureCode } from '../temporal/failures.js';
import { readOutboxCounts } from './outbox-counts.js';
import { readOwedTurns, tellOverdueTurns } from './owed-turns.js';

const measureEveryMs = 5_000;

type Observer = Pick<RelayMetrics, 'observe' | 'observeTurns'>;

/** One measurement. */
interface Measure {
  name: string;
  take(client: pg.Client): Promise<void>;
  /** Records that the value cannot be measured. */
  miss(): void;
}

/**
 * Measures the outbox and the owed turns of agents, on a separate connection and timer, so that a stalled relay shows.
 * A value that cannot be measured is reported as unknown instead of keeping its last value.
 */
export class Gauges {
  readonly #url: string;
  readonly #measures: readonly Measure[];
  readonly #logger: Logger;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #measuring: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(url: string, metrics: Observer, logger: Logger) {
    this.#url = url;
    this.#logger = logger;
    const tellOverdue = tellOverdueTurns(logger);
    this.#measures = [
      {
        name: 'the outbox',
        take: async (client) => metrics.observe(await readOutboxCounts(client)),
        miss: () => metrics.observe(undefined),
      },
      {
        name: 'the turns that are owed',
        async take(client) {
          const owed = await readOwedTurns(client);
          metrics.observeTurns(owed);
          tellOverdue(owed);
        },
        miss: () => metrics.observeTurns(undefined),
      },
    ];
  }

  start(): void {
    this.#measuring = this.#measureAll();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#forget();
    await this.#measuring;
  }

  async #measureAll(): Promise<void> {
    for (const measure of this.#measures) await this.#measure(measure);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#measuring = this.#measureAll();
    }, measureEveryMs);
  }

  async #measure({ name, take, miss }: Measure): Promise<void> {
    if (this.#stopped) return;
    try {
      await take(await this.#connected());
    } catch (error) {
      if (this.#stopped) return;
      miss();
      this.#logger.warn({ code: failureCode(error) }, `${name} cannot be measured`);
      void this.#forget();
    }
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client;
    const fresh = new pg.Client(connectionSettings(this.#url, 'wes-relay-gauges', noticeLimits));
    this.#client = fresh;
    fresh.on('error', () => void this.#forget(fresh));
    await fresh.connect();
    return fresh;
  }

  async #forget(lost = this.#client): Promise<void> {
    if (this.#client === lost) this.#client = undefined;
    if (lost !== undefined) await closeConnection(lost);
  }
}
