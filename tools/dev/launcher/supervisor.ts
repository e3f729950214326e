import { setTimeout as pause } from 'node:timers/promises';
import type { ManagedProcess, ProcessEnd } from '../provision/processes.js';

export interface Service {
  name: string;
  /** Starts the service and resolves when it is ready. */
  start(): Promise<ManagedProcess>;
}

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** A service that ran this long has recovered; its backoff starts again from the beginning. */
const recoveredAfterMs = 60_000;

/** Restarts services that end unexpectedly, with exponential backoff, and reports it on the terminal. */
export class Supervisor {
  readonly #print: (sentence: string) => void;
  readonly #closing = new AbortController();

  constructor(print: (sentence: string) => void) {
    this.#print = print;
  }

  /** Starts a service and supervises it. Rejects when the first start fails; that start is not retried. */
  async run(service: Service): Promise<void> {
    void this.#keep(service, await service.start());
  }

  /** Stops supervising: services that end from now on are not restarted. */
  close(): void {
    this.#closing.abort();
  }

  async #keep(service: Service, first: ManagedProcess): Promise<void> {
    let running: ManagedProcess | undefined = first;
    let failures = 0;
    while (!this.#closing.signal.aborted) {
      const since = Date.now();
      if (running !== undefined) {
        const end = await running.ended;
        if (running.stopping) return;
        if (Date.now() - since > recoveredAfterMs) failures = 0;
        this.#print(
          `${service.name} ended unexpectedly (${describe(end)}). It will be restarted. Log: ${running.logFile}`,
        );
      }
      const waitMs = Math.min(longestPauseMs, firstPauseMs * 2 ** failures);
      failures += 1;
      running = await this.#startAgain(service, waitMs);
    }
  }

  async #startAgain(service: Service, waitMs: number): Promise<ManagedProcess | undefined> {
    try {
      await pause(waitMs, undefined, { signal: this.#closing.signal });
      const running = await service.start();
      this.#print(`${service.name} is running again.`);
      return running;
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#print((error as Error).message);
      return undefined;
    }
  }
}

function describe({ code, signal }: ProcessEnd): string {
  return signal === null ? `exit code ${code}` : signal;
}
