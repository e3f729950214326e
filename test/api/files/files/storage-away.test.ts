import { randomUUID } from 'node:crypto';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DiskStorage } from '../../../../providers/storage/disk-storage.js';
import { StorageBusy, StorageOutcomeUnknown } from '../../../../providers/storage/storage.js';
import { startApi } from '../../../support/api/api.js';
import { type SentFile, sendFile } from '../../../support/files/send-file.js';
import { temporaryFolder } from '../../../support/lib/temporary-folder.js';
import { createWorkspace } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { database } = useWorkspace();
const away = { status: 503, body: { code: 'storage_unavailable' } };

async function stage() {
  const folder = temporaryFolder();
  const storage = new DiskStorage(folder);
  const api = await startApi(database.database, { storage });
  onTestFinished(() => api.close());
  const place = await createWorkspace(database.database);
  return {
    folder,
    storage,
    send: (sent: SentFile = {}) => sendFile(api, place, sent),
    statesOfObjects: async (): Promise<string[]> => {
      const rows = await place.database.readInWorkspace(place.workspaceId, (tx) =>
        tx('stored_objects').select('state').orderBy('id'),
      );
      return rows.map(({ state }) => state);
    },
  };
}

describe('an upload while the storage cannot be used', () => {
  it('is refused when it cannot be received, of any size, reserves nothing, and is taken once it can', async () => {
    const { folder, send, statesOfObjects } = await stage();
    renameSync(join(folder, 'spool'), join(folder, 'unmounted'));
    for (const bytes of [10, 5_000_000])
      expect(await send({ content: 'x'.repeat(bytes) })).toMatchObject(away);
    expect(await statesOfObjects()).toEqual([]);
    renameSync(join(folder, 'unmounted'), join(folder, 'spool'));
    expect((await send()).status).toBe(201);
  });

  it.each([
    ['nothing is stored', new StorageBusy('SlowDown'), 'doomed'],
    ['it may be stored yet', new StorageOutcomeUnknown('TIMEOUT'), 'pending'],
  ])('gives back what it has reserved only if nothing can come of it: %s', async (_, failure, state) => {
    const { storage, send, statesOfObjects } = await stage();
    storage.put = async () => {
      throw failure;
    };
    expect(await send()).toMatchObject(away);
    expect(await statesOfObjects()).toEqual([state]);
    expect(readdirSync(storage.spoolFolder)).toEqual([]);
  });
});

describe('an upload that was stored', () => {
  it('gives back what it has reserved when it is refused', async () => {
    const { send, statesOfObjects } = await stage();
    const fields = { externalId: 'taken' };
    expect((await send({ fields })).status).toBe(201);
    expect((await send({ fields })).status).toBe(400);
    expect(await statesOfObjects()).toEqual(['stored', 'doomed']);
  });

  it('gives it back when it was a repetition, also of two at once', async () => {
    const { send, statesOfObjects } = await stage();
    const repeated = { headers: { 'Idempotency-Key': randomUUID() } };
    const first = await send(repeated);
    expect((await send(repeated)).body).toEqual(first.body);
    const other = { headers: { 'Idempotency-Key': randomUUID() } };
    await Promise.all([send(other), send(other)]);
    expect((await statesOfObjects()).sort()).toEqual(['doomed', 'doomed', 'stored', 'stored']);
  });

  it('gives it back when a version is refused', async () => {
    const { send, statesOfObjects } = await stage();
    const { id } = (await send()).body;
    const asked = { path: `/files/${id}/versions`, headers: { 'Idempotency-Key': randomUUID() } };
    const versions = [await send(asked), await send(asked)];
    expect(versions.map(({ status }) => status)).toEqual([201, 201]);
    expect(await statesOfObjects()).toEqual(['stored', 'stored', 'doomed']);
  });
});
