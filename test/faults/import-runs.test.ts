import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { getMemberImport } from '../../domain/people/imports/follow-import.js';
import { DiskStorage } from '../../providers/storage/disk-storage.js';
import { useConnection, useDatabase } from '../support/db/use-database.js';
import { waitFor } from '../support/lib/wait-for.js';
import { requestImport, signedInContext } from '../support/people/request-import.js';
import { type ServiceProcess, startWorkerProcess } from '../support/run/service-process.js';
import { startSystem } from '../support/system/system.js';
import { useSmsWorkspace } from '../support/system/use-sms-workspace.js';

const total = 10_000;
/** The server waits a minute for the heartbeat of a worker that is gone. */
const notedWithinMs = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'wes-imports-killed-'));
const storage = new DiskStorage(folder);
const workers: ServiceProcess[] = [];
const testDatabase = useDatabase();
const asSuperuser = useConnection(() => testDatabase.superuserUrl);
const { system, workspace } = useSmsWorkspace(() =>
  startSystem({ testDatabase, relay: false, worker: false, storage }),
);
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.kill();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function startWorker(): Promise<ServiceProcess> {
  const publicUrl = system.api.baseUrl;
  const worker = await startWorkerProcess({
    ...{ system, testDatabase, publicUrl },
    env: { STORAGE_FOLDER: folder },
  });
  workers.push(worker);
  return worker;
}

it('a killed worker leaves the rest of an import to another, which writes no row twice', {
  timeout: 240_000,
}, async () => {
  const first = await startWorker();
  const rows = Array.from({ length: total }, (_, at) => `Row ${at},killed-${at}`);
  const by = signedInContext(workspace, workspace.admin);
  const { uuid } = await requestImport(by, storage, `name,external_id\n${rows.join('\n')}\n`);
  const look = () => getMemberImport(by, uuid);
  await waitFor('some rows are written', async () => (await look()).rowsDone > 0, notedWithinMs);

  await first.kill();
  const { rowsDone, state } = await look();
  expect(state).toBe('running');
  expect(rowsDone).toBeLessThan(total);
  await startWorker();

  await waitFor('the import has ended', async () => (await look()).finishedAt !== null, notedWithinMs);
  expect(await look()).toMatchObject({
    ...{ state: 'completed', rowsDone: total, created: total, unchanged: 0, failedRows: [] },
  });
  const { rows: written } = await asSuperuser(
    `select count(*)::integer as rows, count(distinct external_id)::integer as people
     from members where external_id like 'killed-%'`,
  );
  expect(written).toEqual([{ rows: total, people: total }]);
});
