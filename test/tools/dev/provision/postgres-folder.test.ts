import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { isRunning } from '../../../../tools/dev/provision/pid-file.js';
import { freePort } from '../../../../tools/dev/provision/ports.js';
import { findPostgresBinaries } from '../../../../tools/dev/provision/postgres-binaries.js';
import { endOrphan } from '../../../../tools/dev/provision/postgres-folder.js';
import {
  type PostgresOptions,
  postgresFiles,
  startPostgres,
} from '../../../../tools/dev/provision/postgres-server.js';
import { ProcessTable } from '../../../../tools/dev/provision/processes.js';
import { temporaryFolder } from '../../../support/lib/temporary-folder.js';

let options: PostgresOptions;

beforeEach(async () => {
  const root = temporaryFolder();
  chmodSync(root, 0o755);
  options = {
    processes: new ProcessTable(),
    ...postgresFiles(root),
    port: await freePort(),
    password: 'test',
    settings: ['fsync=off'],
  };
});

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('ends an orphaned PostgreSQL server and keeps its data', async () => {
  const orphan = await startPostgres(options);
  await query(orphan.superuserUrl, 'create table kept as select 42 as answer');
  const server = await startPostgres({ ...options, processes: new ProcessTable() });
  expect(orphan.process.running).toBe(false);
  expect(await query(server.superuserUrl, 'select answer from kept')).toEqual([{ answer: 42 }]);
  await server.process.stop();
});

test('clears the lock of a dead PostgreSQL server without ending a process that has reused its id', async () => {
  const { process: server } = await startPostgres(options);
  const lockFile = join(options.folder, 'postmaster.pid');
  const lock = readFileSync(lockFile, 'utf8');
  await server.stop();
  writeFileSync(lockFile, lock.replace(/^\d+/, String(process.pid)));

  expect(await endOrphan(options.folder)).toBe(false);

  expect(existsSync(lockFile)).toBe(false);
  expect(isRunning(process.pid)).toBe(true);
});

test('rejects a data folder of another major PostgreSQL version with one message', async () => {
  const { process: server } = await startPostgres(options);
  await server.stop();
  writeFileSync(join(options.folder, 'PG_VERSION'), '9.6\n');

  await expect(startPostgres(options)).rejects.toThrow(
    `The database in ${options.folder} was created by PostgreSQL 9.6, but this version of the service uses PostgreSQL ${findPostgresBinaries().majorVersion}. ` +
      'Go back to the version that created it, or delete the data and start again with npm start -- --fresh.',
  );
});

test('reports why a PostgreSQL server cannot start', async () => {
  const started = startPostgres({ ...options, settings: ['no_such_setting=1'] });
  await expect(started).rejects.toThrow(/PostgreSQL did not start on port \d+: .*no_such_setting/);
});
