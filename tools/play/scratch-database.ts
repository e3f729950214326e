import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../db/database.js';
import { migrateToLatest } from '../../db/migrator.js';
import { provisionRoles } from '../../db/provision.js';
import { freePort } from '../dev/provision/ports.js';
import { postgresFiles, postgresUrl, startPostgres } from '../dev/provision/postgres-server.js';
import { ProcessTable } from '../dev/provision/processes.js';

/** A PostgreSQL of its own with the schema of this version and no data, which is removed by `close`. */
export interface ScratchDatabase {
  db: Database;
  close(): Promise<void>;
}

const password = randomBytes(18).toString('base64url');

/** Starts it; a signal that ends this process removes it as well. */
export async function startScratchDatabase(): Promise<ScratchDatabase> {
  const root = await mkdtemp(join(tmpdir(), 'wes-play-'));
  const processes = new ProcessTable();
  const files = postgresFiles(root);
  const stop = async () => {
    await processes.stopAll(['postgres']);
    await Promise.all([root, files.folder].map((folder) => rm(folder, { recursive: true, force: true })));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(130)));
  }
  try {
    const port = await freePort();
    const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
    const { superuserUrl } = await startPostgres({ processes, ...files, port, password, settings });
    const passwords = { wes_migrator: password, wes_app: password, wes_relay: password };
    await provisionRoles(superuserUrl, { database: 'play', passwords });
    const url = (user: string) => postgresUrl({ user, password, port, database: 'play' });
    await migrateToLatest(url('wes_migrator'));
    const db = new Database({ url: url('wes_app'), name: 'wes-play', poolSize: 2 });
    return { db, close: () => db.close().finally(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}
