import {
  type ActivityInboundCallsInterceptor,
  NativeConnection,
  type WorkerOptions,
  type WorkerPlugin,
} from '@temporalio/worker';
import type { Clock } from '../../../domain/lib/clock.js';
import { createWorkers } from '../../../runtime/worker/workers.js';
import type { Engine } from '../temporal/engine.js';
import { installRuntime } from '../temporal/install-runtime.js';
import { startTimeSkipping } from '../temporal/time-skipping.js';
import { type SystemOptions, startSystem, type TestSystem } from './system.js';

/** Follows a time-skipping server, never backwards: as a plugin, at the begin of every activity of its workers. */
class SkippedClock implements Clock, WorkerPlugin {
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
      execute: (input, next) => this.refresh().then(() => next(input)),
    };
    const activity = [() => ({ inbound }), ...(options.interceptors?.activity ?? [])];
    return { ...options, interceptors: { ...options.interceptors, activity } };
  }
}

/** The whole service on a server whose time a test skips, and with it the time of the service. */
export interface SkippingSystem extends TestSystem {
  clock: SkippedClock;
  /** Lets so many milliseconds pass: whatever comes due in them does so at its time. */
  skip(milliseconds: number): Promise<void>;
}

/** Like `startSystem`, but time stands under the test's command. There are no schedules, and no lists of runs. */
export async function startSkippingSystem(
  options: Omit<SystemOptions, 'engine' | 'temporalAddress' | 'clock'> = {},
): Promise<SkippingSystem> {
  installRuntime();
  const environment = await startTimeSkipping();
  const clock = new SkippedClock(() => environment.currentTimeMs());
  const engine: Engine = {
    temporal: { address: environment.address, namespace: 'default', tls: false },
    async startWorker({ temporal, ...workers }) {
      const { address, namespace } = temporal;
      const connection = await NativeConnection.connect({ address, plugins: [clock] });
      const started = await createWorkers({ ...workers, connection, namespace });
      const running = started.map((worker) => worker.run());
      return {
        async stop() {
          for (const worker of started) worker.shutdown();
          await Promise.all(running);
          await connection.close();
        },
      };
    },
  };
  const system = await startSystem({ ...options, engine, clock });
  return {
    ...system,
    clock,
    async skip(milliseconds) {
      await environment.sleep(milliseconds);
      await clock.refresh();
    },
    async stop() {
      await system.stop();
      await environment.teardown();
    },
  };
}
