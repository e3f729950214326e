import pg from 'pg';
import { outboxChannel } from '../../db/outbox-notifier.js';
import type { Logger } from '../logger.js';

const reconnectMs = 1_000;

/** Wakes the relay's lanes: by a call in this process, by a NOTIFY of another, or when their patience is over. */
export class Waker {
  readonly #url: string;
  readonly #logger: Logger;
  #listener: pg.Client | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #woken = false;
  #stopped = false;
  readonly #waiting: (() => void)[] = [];

  constructor(databaseUrl: string, logger: Logger) {
    this.#url = databaseUrl;
    this.#logger = logger;
  }

  start(): void {
    void this.#listen();
  }

  /** Wakes one that waits; where none does, the next to wait goes on at once. */
  wake(): void {
    const resume = this.#waiting.shift();
    if (resume === undefined) this.#woken = true;
    else resume();
  }

  wakeAll(): void {
    this.#woken = true;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Resolves when woken, at the latest after `patienceMs`. */
  async wait(patienceMs: number): Promise<void> {
    if (this.#woken) {
      this.#woken = false;
      return;
    }
    await new Promise<void>((resolve) => {
      const woken = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(woken), 1);
        resolve();
      }, patienceMs);
      this.#waiting.push(woken);
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#reconnect);
    await this.#listener?.end().catch(() => undefined);
  }

  async #listen(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, application_name: 'wes-relay-listen' });
    client.on('notification', () => this.wake());
    client.on('error', () => undefined);
    client.on('end', () => this.#listenAgain());
    try {
      await client.connect();
      await client.query(`listen ${outboxChannel}`);
      this.#listener = client;
      this.wake();
    } catch {
      this.#logger.warn('cannot listen for outbox notifications; polling goes on');
      await client.end().catch(() => undefined);
      this.#listenAgain();
    }
  }

  #listenAgain(): void {
    if (this.#stopped || this.#reconnect !== undefined) return;
    this.#reconnect = setTimeout(() => {
      this.#reconnect = undefined;
      void this.#listen();
    }, reconnectMs);
  }
}
