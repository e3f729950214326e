import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { NativeConnection, type Worker } from '@temporalio/worker';
import type { TemporalConfiguration } from '../configuration.js';
import { safeCode } from '../error-codes.js';
import { missingSearchAttributes } from '../temporal/namespace.js';
import { monitorVersion, type ShareMetrics } from './deployment-version-monitor.js';
import { createWorkers, type RepairMetrics, type WorkersOptions } from './workers.js';

export interface WorkerProcessOptions extends Omit<WorkersOptions, 'connection' | 'namespace'> {
  temporal: TemporalConfiguration;
  client: Client;
  metrics?: RepairMetrics & ShareMetrics;
}

/**
 * Keeps the Temporal workers running until `stop` is called. Reconnects if Temporal is unavailable, at the start or
 * later.
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

  /** Resolves after `stop`. */
  async run(): Promise<void> {
    for (let failures = 0; !this.#stop.signal.aborted; ) {
      try {
        await this.#runOnce(() => {
          failures = 0;
        });
      } catch (error) {
        failures += 1;
        this.#options.logger.warn({ code: safeCode(error) }, 'Temporal cannot be used; trying again');
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

  /** A run that sets an attribute which the namespace lacks would fail its task again and again. */
  async #checkNamespace(): Promise<void> {
    const missing = await missingSearchAttributes(this.#options.temporal);
    if (missing.length === 0) return;
    const what = 'the namespace lacks search attributes: run dist/runtime/prepare-temporal.js';
    this.#options.logger.error({ missing }, what);
    throw new SearchAttributesMissing();
  }

  async #runOnce(onReady: () => void): Promise<void> {
    const { temporal, client, ...workers } = this.#options;
    const { logger, version, metrics } = workers;
    const { namespace, ...server } = temporal;
    const connection = await NativeConnection.connect(server);
    try {
      await this.#checkNamespace();
      this.#workers = await createWorkers({ ...workers, connection, namespace });
      onReady();
      const running = this.#workers.map((worker) => worker.run());
      if (this.#stop.signal.aborted) this.#shutDown();
      const ended = new AbortController();
      const watch = monitorVersion(
        { client, logger, version, metrics },
        AbortSignal.any([ended.signal, this.#stop.signal]),
      );
      // If one worker fails, all are stopped and started again.
      try {
        await Promise.all(running);
      } finally {
        this.#shutDown();
        ended.abort();
        await Promise.allSettled([...running, watch]);
      }
    } finally {
      this.#workers = [];
      // Closing fails while a worker still uses the connection. Only log this: the original error matters.
      await connection
        .close()
        .catch((error) =>
          this.#options.logger.warn({ code: safeCode(error) }, 'a connection to Temporal was not closed'),
        );
    }
  }
}

class SearchAttributesMissing extends Error {
  override name = 'SearchAttributesMissing';
}
