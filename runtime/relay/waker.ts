import { createListener, type Listener } from '../../db/listener.js';
import { outboxChannel } from '../../db/outbox-notifier.js';

/** Wakes the relay's loops: by a call in this process, by a NOTIFY of another, or after a timeout. */
export class Waker {
  readonly #listener: Listener;
  #woken = false;
  readonly #waiting: (() => void)[] = [];

  constructor(databaseUrl: string) {
    this.#listener = createListener({ url: databaseUrl, name: 'wes-relay-listen', channel: outboxChannel });
  }

  start(): void {
    this.#listener.start({ onNotification: () => this.wake(), onListening: () => this.wake() });
  }

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

  /** Resolves when woken, or after `patienceMs`. */
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

  stop(): Promise<void> {
    return this.#listener.close();
  }
}
