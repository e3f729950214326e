import { setTimeout as pause } from 'node:timers/promises';
import type { ManagedProcess, ProcessEnd } from '../provision/processes.js';

export interface Service {
  name: string;
  /** Resolves when the service is ready. */
  start(): Promise<ManagedProcess>;
}

const firstPauseMs = 1_000;
const maxPauseMs = 30_000;
/** A service that ran this long has recovered; its backoff starts again from the beginning. */
const recoveredAfterMs = 60_000;

/** Restarts services that end unexpectedly, with exponential backoff, and reports it on the terminal. */
export class Supervisor {
  readonly #print: (sentence: string) => void;
  readonly #kept = new Map<string, AbortController>();

  constructor(print: (sentence: string) => void) {
    this.#print = print;
  }

  /** Starts a service and supervises it. Rejects when the first start fails; that start is not retried. */
  async run(service: Service): Promise<void> {
    const released = new AbortController();
    this.#kept.set(service.name, released);
    void this.#keep(service, await service.start(), released.signal);
  }

  release(name: string): void {
    this.#kept.get(name)?.abort();
  }

  close(): void {
    for (const name of this.#kept.keys()) this.release(name);
  }

  async #keep(service: Service, first: ManagedProcess, released: AbortSignal): Promise<void> {
    let running: ManagedProcess | undefined = first;
    let failures = 0;
    while (!released.aborted) {
      const since = Date.now();
      if (running !== undefined) {
        const end = await running.ended;
        if (running.stopping) return;
        if (Date.now() - since > recoveredAfterMs) failures = 0;
        this.#print(
          `${service.name} ended unexpectedly (${describe(end)}). It will be restarted. Log: ${running.logFile}`,
        );
      }
      const waitMs = Math.min(maxPauseMs, firstPauseMs * 2 ** failures);
      failures += 1;
      running = await this.#startAgain(service, waitMs, released);
    }
  }

  async #startAgain(
    service: Service,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<ManagedProcess | undefined> {
    try {
      await pause(waitMs, undefined, { signal });
      const running = await service.start();
      this.#print(`${service.name} is running again.`);
      return running;
    } catch (error) {
      if (!signal.aborted) this.#print((error as Error).message);
      return undefined;
    }
  }
}

function describe({ code, signal }: ProcessEnd): string {
  return signal === null ? `exit code ${code}` : signal;
}
