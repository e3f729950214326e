import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { NativeConnection, type Worker } from '@temporalio/worker';
import type { ActivityDependencies } from '../../activities/index.js';
import type { Configuration } from '../configuration.js';
import { safeCode } from '../error-codes.js';
import type { Logger } from '../logger.js';
import { ensureSchedules } from './schedules.js';
import { createWorkers } from './workers.js';

export interface WorkerProcessOptions {
  temporal: Configuration['temporal'];
  client: Client;
  dependencies: ActivityDependencies;
  logger: Logger;
  /** File of a bundle made before; absent: the build's, else it is made at the start. */
  workflowBundle?: string;
}

/**
 * Keeps the Temporal workers running until told to stop: where Temporal is away, at the start or later, it
 * connects again.
 */
export class WorkerProcess {
  readonly #options: WorkerProcessOptions;
  readonly #stop = new AbortController();
  #workers: Worker[] = [];

  constructor(options: WorkerProcessOptions) {
    this.#options = options;
  }

  isReady(): boolean {
    return this.#workers.length > 0 && this.#workers.every((worker) => worker.getState() === 'RUNNING');
  }

  /** Resolves once stopped. */
  async run(): Promise<void> {
    for (let failures = 0; !this.#stop.signal.aborted; ) {
      try {
        await this.#runOnce(() => {
          failures = 0;
        });
      } catch (error) {
        failures += 1;
        this.#options.logger.warn({ code: safeCode(error) }, 'Temporal cannot be reached; trying again');
        const pause = Math.min(500 * 2 ** failures, 10_000);
        await delay(pause, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      }
    }
  }

  stop(): void {
    this.#stop.abort();
    this.#shutDown();
  }

  #shutDown(): void {
    for (const worker of this.#workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  }

  async #runOnce(onReady: () => void): Promise<void> {
    const { temporal, client, dependencies, logger, workflowBundle } = this.#options;
    const connection = await NativeConnection.connect({
      address: temporal.address,
      tls: temporal.tls,
      ...(temporal.apiKey === undefined ? {} : { apiKey: temporal.apiKey }),
    });
    try {
      this.#workers = await createWorkers({
        connection,
        namespace: temporal.namespace,
        dependencies,
        logger,
        ...(workflowBundle === undefined ? {} : { workflowBundle }),
      });
      await ensureSchedules(client);
      onReady();
      const running = this.#workers.map((worker) => worker.run());
      if (this.#stop.signal.aborted) this.#shutDown();
      // One that fails takes the others with it; all are started anew.
      try {
        await Promise.all(running);
      } finally {
        this.#shutDown();
        await Promise.allSettled(running);
      }
    } finally {
      this.#workers = [];
      await connection.close();
    }
  }
}
