import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DiskStorage } from '../../providers/storage/disk-storage.js';
import { freePort } from '../../tools/dev/provision/ports.js';
import { taskQueues } from '../../workflows/contracts/runs.js';
import { useConnection, useDatabase } from '../support/db/use-database.js';
import { addStoredFile } from '../support/files/add-stored-file.js';
import { discrepancies, readBytesAndRows } from '../support/files/bytes-and-rows.js';
import { pdfOf } from '../support/files/samples.js';
import { formWith } from '../support/files/send-file.js';
import { waitFor } from '../support/lib/wait-for.js';
import { type ServiceProcess, startApiProcess, startWorkerProcess } from '../support/run/service-process.js';
import { startSystem } from '../support/system/system.js';
import { useSmsWorkspace } from '../support/system/use-sms-workspace.js';

const folder = mkdtempSync(join(tmpdir(), 'wes-files-killed-'));
const storage = new DiskStorage(folder);
const started: ServiceProcess[] = [];

const testDatabase = useDatabase();
const asSuperuser = useConnection(() => testDatabase.superuserUrl);
const { system, workspace } = useSmsWorkspace(() =>
  startSystem({ testDatabase, relay: false, worker: false, storage }),
);

let port: number;
beforeAll(async () => {
  port = await freePort();
});
afterEach(async () => {
  for (const process of started.splice(0)) await process.kill();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(program: 'api' | 'worker'): Promise<ServiceProcess> {
  const options = {
    system,
    testDatabase,
    publicUrl: `http://127.0.0.1:${port}`,
    env: { STORAGE_FOLDER: folder },
  };
  const process =
    program === 'api' ? await startApiProcess(options, port) : await startWorkerProcess(options);
  started.push(process);
  return process;
}

const facts = () => readBytesAndRows(workspace.select, { folder, workspaceUuid: workspace.workspaceUuid });
const spooledBytes = async () => {
  const sizes = (await readdir(storage.spoolFolder)).map((name) => stat(join(storage.spoolFolder, name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
};
const content = 'Drink enough water. '.repeat(1_000_000);

/** Sends the head of an upload, and as much of its body as told; the connection stays open. */
async function beginUpload(share: number, headers: Record<string, string> = {}): Promise<ClientRequest> {
  const form = new Response(formWith({ content }));
  const body = Buffer.from(await form.arrayBuffer());
  const upload = request({
    port,
    method: 'POST',
    path: `/api/v2${workspace.path('/files')}`,
    headers: {
      Authorization: `Bearer ${workspace.admin.apiKey}`,
      'Content-Type': String(form.headers.get('content-type')),
      'Content-Length': body.length,
      ...headers,
    },
  });
  // It ends with the api.
  upload.on('error', () => undefined);
  upload.write(body.subarray(0, Math.floor(body.length * share)));
  return upload;
}

async function upload(headers: Record<string, string> = {}): Promise<{ status: number; id: number }> {
  const url = `http://127.0.0.1:${port}/api/v2${workspace.path('/files')}`;
  const authorization = { Authorization: `Bearer ${workspace.admin.apiKey}`, ...headers };
  const answer = await fetch(url, { method: 'POST', headers: authorization, body: formWith({ content }) });
  return { status: answer.status, ...((await answer.json()) as { id: number }) };
}

/** A pass of the collector, beside others that a killed worker has left. */
async function collect(): Promise<void> {
  await workspace.select(
    `update stored_objects set state_since = now() - interval '25 hours' where state = 'pending' returning id`,
  );
  const options = { workflowId: `collect-${randomUUID()}`, taskQueue: taskQueues.runs };
  expect(await system.client.workflow.execute('collectObjects', options)).toMatchObject({ failed: 0 });
}

describe('an api that is killed', { timeout: 120_000 }, () => {
  it('in the middle of an upload leaves no row, and a spooled file for its collector', async () => {
    const api = await start('api');
    await beginUpload(0.5);
    await waitFor('half of it is there', async () => (await spooledBytes()) > 5_000_000);

    await api.kill();

    expect(await facts()).toMatchObject({ versions: [], objects: [], kept: [], usedBytes: 0 });
    await start('api');
    expect(await storage.collectSpools(new Date(Date.now() + 60_000))).toBe(1);
    expect((await upload()).status).toBe(201);
    expect(discrepancies(await facts())).toEqual([]);
    expect(await spooledBytes()).toBe(0);
  });

  it('between the bytes and the row of an upload leaves what the collector deletes, and a repetition is one file', async () => {
    const { versions: before } = await facts();
    const api = await start('api');
    const headers = { 'Idempotency-Key': randomUUID() };
    // The transaction that makes the version waits for the table, and ends with its api.
    await asSuperuser('begin');
    await asSuperuser('lock table files in exclusive mode');
    const sending = await beginUpload(1, headers);
    sending.end();
    const waiting = 'not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';
    await waitFor('it waits', async () => {
      const { rowCount } = await asSuperuser(`select from pg_locks where ${waiting}`);
      return rowCount !== null && rowCount > 0;
    });
    expect((await facts()).objects.map(({ state }) => state)).toContain('pending');

    await api.kill();

    await asSuperuser(`select pg_terminate_backend(pid) from pg_locks where ${waiting}`);
    await asSuperuser('rollback');
    await start('api');
    const again = await upload(headers);
    expect(again.status).toBe(201);
    await start('worker');
    await collect();
    const after = await facts();
    expect(discrepancies(after)).toEqual([]);
    expect(after.versions).toHaveLength(before.length + 1);
  });
});

describe('a worker that is killed', { timeout: 120_000 }, () => {
  it('in the middle of collecting leaves the rest to the next pass, which gives all bytes back', async () => {
    const before = await facts();
    const total = 4_000;
    const own = join(folder, 'objects', workspace.workspaceUuid);
    await mkdir(own, { recursive: true });
    const doomed = await workspace.select<{ uuid: string }>(
      `insert into stored_objects (workspace_id, bytes, sha256, mime_type, state)
       select ${workspace.workspaceId}, 5, '', 'text/plain', 'doomed' from generate_series(1, ${total}) returning uuid`,
    );
    await workspace.select(
      `insert into storage_usage (workspace_id, bytes) values (${workspace.workspaceId}, ${5 * total})
       on conflict (workspace_id) do update set bytes = storage_usage.bytes + excluded.bytes returning id`,
    );
    for (const { uuid } of doomed) await writeFile(join(own, uuid), 'bytes');
    const left = async () => (await readdir(own)).length - before.kept.length;
    const first = await start('worker');
    const options = { workflowId: `collect-${randomUUID()}`, taskQueue: taskQueues.runs };
    await system.client.workflow.start('collectObjects', options);
    await waitFor('some are deleted', async () => (await left()) < total);

    await first.kill();

    expect(await left()).toBeGreaterThan(0);
    await start('worker');
    await collect();
    const after = await facts();
    expect(discrepancies(after)).toEqual([]);
    expect([after.kept.length, after.usedBytes]).toEqual([before.kept.length, before.usedBytes]);
  });

  it('in the middle of indexing leaves the stored pages, and another goes on after them', async () => {
    const pages = 1_500;
    const text = Array.from({ length: pages }, (_, at) => `This is page ${at + 1} of many`);
    const first = await start('worker');
    const file = await addStoredFile(workspace, storage, { filename: 'many.pdf', content: pdfOf(text) });
    const { workspaceId, workspaceUuid } = workspace;
    const versionId = file.currentVersionId;
    const version = async () => {
      const [row] = await workspace.select<{ state: string; pages: number; attempts: number }>(
        `select indexing_state as state, indexed_pages as pages, indexing_attempts as attempts
         from file_versions where id = ${versionId}`,
      );
      return row;
    };
    await waitFor('some pages are stored', async () => ((await version())?.pages ?? 0) > 0, 60_000);

    await first.kill();

    expect(await version()).toMatchObject({ state: 'pending' });
    await start('worker');
    // Beside the run of the killed worker, whose activity Temporal gives to another one after a minute.
    const options = {
      workflowId: `index-${randomUUID()}`,
      taskQueue: taskQueues.runs,
      args: [{ workspaceId, workspaceUuid, versionId }],
    };
    const outcome = await system.client.workflow.execute('indexFile', options);

    expect(outcome).toEqual({ outcome: 'indexed', pages });
    expect(await version()).toMatchObject({ state: 'indexed', pages });
    const [stored] = await workspace.select<{ passages: number; pages: number }>(
      `select count(*) as passages, count(distinct page) as pages from file_passages where version_id = ${versionId}`,
    );
    expect(stored).toEqual({ passages: pages, pages });
  });
});
