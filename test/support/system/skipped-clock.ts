import type {
  ActivityExecuteInput,
  ActivityInboundCallsInterceptor,
  WorkerOptions,
  WorkerPlugin,
} from '@temporalio/worker';
import type { Clock } from '../../../domain/lib/clock.js';

/**
 * Follows the clock of a time-skipping server, and never goes backwards. As a plugin of a connection it has every
 * activity of its workers begin with the server's time: that is when time may have been skipped.
 */
export class SkippedClock implements Clock, WorkerPlugin {
  readonly name = 'skipped-clock';
  readonly #readServer: () => Promise<number>;
  #aheadMs = 0;

  /** @param readServer the server's time, in epoch milliseconds */
  constructor(readServer: () => Promise<number>) {
    this.#readServer = readServer;
  }

  /** While nothing is skipped the server's time passes as everywhere. */
  now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  async refresh(): Promise<void> {
    const serverMs = await this.#readServer();
    this.#aheadMs = Math.max(this.#aheadMs, serverMs - Date.now());
  }

  configureWorker(options: WorkerOptions): WorkerOptions {
    const inbound: ActivityInboundCallsInterceptor = {
      execute: async (input: ActivityExecuteInput, next) => {
        await this.refresh();
        return await next(input);
      },
    };
    const activity = [() => ({ inbound }), ...(options.interceptors?.activity ?? [])];
    return { ...options, interceptors: { ...options.interceptors, activity } };
  }
}
