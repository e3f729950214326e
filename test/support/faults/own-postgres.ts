import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../tools/dev/provision/ports.js';
import { postgresFiles, startPostgres } from '../../../tools/dev/provision/postgres-server.js';
import { ProcessTable } from '../../../tools/dev/provision/processes.js';
import { cloneTemplate, type TestDatabase } from '../db/clone-template.js';
import { postgresBackend } from '../run/backend-client.js';
import { makeTemplate, testPassword } from '../run/backends.js';
import { clearFolder } from '../run/leftovers.js';

export interface OwnPostgres extends Omit<TestDatabase, 'drop'> {
  /** Ends it as a crash would; committed data survive. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Closes `database`, ends the server and removes its files. */
  stop(): Promise<void>;
}

/** A server with a migrated database of one's own, for tests that take it away in the middle of something. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const { folder } = await postgresBackend();
  const root = mkdtempSync(join(folder, 'own-postgres-'));
  const options = {
    processes: new ProcessTable(),
    ...postgresFiles(root),
    port: await freePort(),
    password: testPassword,
  };
  let server = await startPostgres(options);
  await makeTemplate(server);
  const { drop: _drop, ...clone } = await cloneTemplate(server.port, server.superuserUrl);
  return {
    ...clone,
    kill: () => server.process.kill(),
    async start() {
      server = await startPostgres(options);
    },
    async stop() {
      await clone.database.close();
      await server.process.kill();
      await clearFolder(root);
    },
  };
}
