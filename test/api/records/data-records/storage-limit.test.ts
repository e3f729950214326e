import { expect, it } from 'vitest';
import { readStoredBytes } from '../../../../db/records/stored-bytes.js';
import { maxStoredBytes } from '../../../../domain/records/data-records/writing/storage-limit.js';
import { callAs } from '../../../support/api/call-as.js';
import { useApi } from '../../../support/api/use-api.js';
import { addRecordType } from '../../../support/records/use-records.js';
import { createWorkspace, type TestWorkspace } from '../../../support/workspace/factories.js';

const suite = useApi();
const { api } = suite;

const storedBytes = ({ database, workspaceId }: TestWorkspace) =>
  database.inWorkspace(workspaceId, readStoredBytes);

/** A workspace with this number of stored bytes, a data type, and a caller. */
async function workspaceWith(bytes: number) {
  const workspace = await createWorkspace(suite.database.database);
  await workspace.within(async (tx) => {
    await tx('stored_bytes').insert({ workspace_id: workspace.workspaceId, bytes });
  });
  const type = await addRecordType(workspace, true);
  return { workspace, type, call: callAs(api, workspace, workspace.admin) };
}

it('rejects further records through every endpoint once the workspace’s storage is full', async () => {
  const { type, call } = await workspaceWith(maxStoredBytes);
  const record = { fieldValues: { reason: 'checkup' } };

  expect(await call('POST', type.path, record)).toMatchObject({
    status: 409,
    body: { code: 'storage_full' },
  });
  const upserted = await call('PUT', `${type.path}/external/visit-1`, record);
  expect([404, 409]).toContain(upserted.status);
  expect((await call('GET', type.path)).body).toMatchObject({ total: 0 });
});

it('counts the bytes of records and their history on writes and deletions', async () => {
  const { workspace, type, call } = await workspaceWith(0);

  const { body } = await call('POST', type.path, { fieldValues: { reason: 'checkup' } });
  const created = await storedBytes(workspace);
  await call('PUT', `${type.path}/${body.id}`, { fieldValues: { reason: 'another checkup' } });
  const changed = await storedBytes(workspace);
  await call('DELETE', `${type.path}/${body.id}`);

  expect(created).toBe(JSON.stringify({ reason: 'checkup' }).length + 1);
  expect(changed).toBeGreaterThan(2 * created);
  expect(await storedBytes(workspace)).toBe(0);
});

it('compacts a long journal of stored bytes concurrently without changing the total', async () => {
  const { workspace } = await workspaceWith(0);
  await workspace.within(async (tx) => {
    await tx.raw('insert into stored_bytes (workspace_id, bytes) select ?, 7 from generate_series(1, 1500)', [
      workspace.workspaceId,
    ]);
  });

  const read = await Promise.all(Array.from({ length: 4 }, () => storedBytes(workspace)));

  expect(read).toEqual([10_500, 10_500, 10_500, 10_500]);
  expect(await storedBytes(workspace)).toBe(10_500);
  const [rows] = await workspace.within((tx) => tx('stored_bytes').count({ count: '*' }));
  expect(Number(rows?.count)).toBeLessThan(10);
});
