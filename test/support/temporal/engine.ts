import type { Configuration } from '../../../runtime/configuration.js';
import { WorkerProcess, type WorkerProcessOptions } from '../../../runtime/worker/worker-process.js';
import { waitFor } from '../lib/wait-for.js';
import { createNamespace } from './own-namespace.js';
import { temporalAddress } from './temporal.js';

/** Where the runs of a test are kept, and who works on them. */
export interface Engine {
  temporal: Configuration['temporal'];
  startWorker(options: WorkerProcessOptions): Promise<RunningWorker>;
}

export interface RunningWorker {
  stop(): Promise<void>;
}

/** A namespace of one's own on a dev server, and workers as production has them. */
export async function createDevEngine(address?: string): Promise<Engine> {
  const server = address ?? (await temporalAddress());
  return {
    temporal: { address: server, namespace: await createNamespace(server), tls: false },
    async startWorker(options) {
      const process = new WorkerProcess(options);
      const running = process.run();
      await waitFor('the worker is ready', () => process.isReady());
      return {
        async stop() {
          process.stop();
          await running;
        },
      };
    },
  };
}
