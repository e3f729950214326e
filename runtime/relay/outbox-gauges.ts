import pg from 'pg';
import { closeConnection } from '../../db/connection/close-connection.js';
import { connectionSettings, noticeLimits } from '../../db/connection/connection-settings.js';
import type { Logger } from '../logger.js';
import type { RelayMetrics } from '../metrics.js';
import { failureCode } from '../temporal/failures.js';
import { readStanding } from './outbox-counts.js';

const measureEveryMs = 5_000;

/**
 * Measures the outbox on a connection and a timer of its own, so that a relay that stands still is seen. Where it cannot
 * be measured, it is told to be unknown instead of as it was.
 */
export class OutboxGauges {
  readonly #url: string;
  readonly #metrics: Pick<RelayMetrics, 'observe'>;
  readonly #logger: Logger;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #measuring: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(url: string, metrics: Pick<RelayMetrics, 'observe'>, logger: Logger) {
    this.#url = url;
    this.#metrics = metrics;
    this.#logger = logger;
  }

  start(): void {
    this.#measuring = this.#measure();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#forget();
    await this.#measuring;
  }

  async #measure(): Promise<void> {
    try {
      this.#metrics.observe(await readStanding(await this.#connected()));
    } catch (error) {
      if (this.#stopped) return;
      this.#metrics.observe(undefined);
      this.#logger.warn({ code: failureCode(error) }, 'the outbox cannot be measured');
      void this.#forget();
    }
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#measuring = this.#measure();
    }, measureEveryMs);
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
