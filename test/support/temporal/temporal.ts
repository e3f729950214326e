import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../tools/dev/provision/ports.js';
import { ProcessTable } from '../../../tools/dev/provision/processes.js';
import { startTemporal } from '../../../tools/dev/provision/temporal-server.js';
import { temporalBackend } from '../run/backend-client.js';
import { clearFolder } from '../run/leftovers.js';

/** The address of the run's Temporal server. Use task queues and ids of your own on it. */
export async function temporalAddress(): Promise<string> {
  return (await temporalBackend()).address;
}

export interface OwnTemporal {
  address: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A file-backed server of one's own, to be taken away in the middle of something, or with other `settings`. */
export async function startOwnTemporal(settings: readonly string[] = []): Promise<OwnTemporal> {
  const { program, folder } = await temporalBackend();
  const root = mkdtempSync(join(folder, 'own-temporal-'));
  const options = {
    processes: new ProcessTable(),
    program,
    port: await freePort(),
    databaseFile: join(root, 'temporal.db'),
    logFile: join(root, 'temporal.log'),
    pidFile: join(root, 'temporal.pid'),
    settings,
  };
  let server = await startTemporal(options);
  return {
    address: server.address,
    kill: () => server.process.kill(),
    async start() {
      server = await startTemporal(options);
    },
    async stop() {
      await server.process.kill();
      await clearFolder(root);
    },
  };
}
