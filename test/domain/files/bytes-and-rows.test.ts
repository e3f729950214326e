import { afterAll, describe, expect, it } from 'vitest';
import { countUsedBytes } from '../../../db/files/stored-objects.js';
import { createFile } from '../../../domain/files/files/create-file.js';
import { deleteFile } from '../../../domain/files/files/delete-file.js';
import { objectKey, PutUnknown } from '../../../domain/files/object-store.js';
import { addFileVersion, restoreFileVersion } from '../../../domain/files/versions/add-version.js';
import { dropUpload, storeUpload } from '../../../domain/files/versions/store-upload.js';
import { Unavailable } from '../../../domain/lib/errors.js';
import { addFile, storageOf } from '../../support/files/add-file.js';
import { createMemoryStore } from '../../support/files/memory-store.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { database, workspace } = useWorkspace();
const store = createMemoryStore();
afterAll(() => store.close());

interface ObjectRow {
  uuid: string;
  state: string;
  bytes: number;
}

const objectsOf = (place: TestWorkspace): Promise<ObjectRow[]> =>
  place.database.readInWorkspace(place.workspaceId, (tx) =>
    tx('stored_objects').select('uuid', 'state', 'bytes').orderBy('id'),
  );
const statesOf = async (place: TestWorkspace) => (await objectsOf(place)).map(({ state }) => state);
const filesOf = (place: TestWorkspace): Promise<unknown[]> =>
  place.database.readInWorkspace(place.workspaceId, (tx) => tx('files').select('id'));
const usedBytes = (place: TestWorkspace) => place.database.readInWorkspace(place.workspaceId, countUsedBytes);

/** Every version has its stored object with its bytes, and every bytes have a row. */
async function expectWhole(place: TestWorkspace): Promise<void> {
  const objects = await objectsOf(place);
  const uuids = new Set(objects.map(({ uuid }) => uuid));
  for (const key of store.objects.keys()) {
    const [owner, uuid] = key.split('/');
    if (owner === place.workspaceUuid) expect(uuids).toContain(uuid);
  }
  const versions = await place.database.readInWorkspace(place.workspaceId, (tx) =>
    tx('file_versions as v')
      .join('stored_objects as o', 'o.id', 'v.object_id')
      .select('o.uuid', 'o.state', 'v.file_size as size'),
  );
  for (const { uuid, state, size } of versions) {
    expect(state).toBe('stored');
    expect(store.objects.get(objectKey(place.workspaceUuid, uuid))?.length).toBe(Number(size));
  }
  const sum = objects.reduce((bytes, object) => bytes + object.bytes, 0);
  expect(await usedBytes(place)).toBe(sum);
}

const upload = async (content = 'Drink enough water.') => ({
  spooled: await store.spool(content),
  name: 'leaflet.txt',
});

describe('an upload', () => {
  it('leaves an object, a version and a file, which are there together', async () => {
    const place = await createWorkspace(database.database);
    await addFile(place, store);
    expect(await statesOf(place)).toEqual(['stored']);
    await expectWhole(place);
  });

  it.each(['before', 'after'] as const)(
    'that fails %s its bytes are stored leaves a pending object',
    async (moment) => {
      const place = await createWorkspace(database.database);
      store.failNext('put', moment);
      await expect(addFile(place, store)).rejects.toThrow('the storage failed');
      expect(await statesOf(place)).toEqual(['pending']);
      expect(await filesOf(place)).toEqual([]);
      await expectWhole(place);
    },
  );

  it('that the storage refuses gives back what it has reserved', async () => {
    const place = await createWorkspace(database.database);
    store.failNext('put', 'before', new Unavailable('away', 5, 'storage_unavailable'));
    await expect(addFile(place, store)).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(await statesOf(place)).toEqual(['doomed']);
    await expectWhole(place);
  });

  it('that may be stored yet keeps its place, so that nothing is there without a row', async () => {
    const place = await createWorkspace(database.database);
    store.failNext('put', 'after', new PutUnknown('away', 5, 'storage_unavailable'));
    await expect(addFile(place, store)).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(await statesOf(place)).toEqual(['pending']);
    await expectWhole(place);
  });

  it('whose process ends between bytes and row leaves a pending object', async () => {
    const place = await createWorkspace(database.database);
    await storeUpload(place.context(), storageOf(store), await upload());
    expect(await statesOf(place)).toEqual(['pending']);
    await expectWhole(place);
  });

  it('whose transaction is rolled back leaves a pending object, which can be dropped', async () => {
    const place = await createWorkspace(database.database);
    const context = place.context();
    const stored = await storeUpload(context, storageOf(store), await upload());
    const failed = place.database.inWorkspace(place.workspaceId, async () => {
      throw new Error('the process ended');
    });
    await expect(failed).rejects.toThrow('the process ended');
    await expect(createFile(context, { folderId: 987_654_321 }, stored)).rejects.toThrow('folder');
    expect(await statesOf(place)).toEqual(['pending']);
    await dropUpload(context, stored);
    expect(await statesOf(place)).toEqual(['doomed']);
    await expectWhole(place);
  });

  it('makes no file of an object that was collected meanwhile, nor two of one object', async () => {
    const place = await createWorkspace(database.database);
    const context = place.context();
    const dropped = await storeUpload(context, storageOf(store), await upload());
    await dropUpload(context, dropped);
    await expect(createFile(context, {}, dropped)).rejects.toThrow('was collected');
    const used = await storeUpload(context, storageOf(store), await upload());
    await createFile(context, {}, used);
    await expect(createFile(context, {}, used)).rejects.toThrow('was collected');
    expect(await filesOf(place)).toHaveLength(1);
  });

  it('is not doomed when it is dropped after its file was made', async () => {
    const place = await createWorkspace(database.database);
    const context = place.context();
    const used = await storeUpload(context, storageOf(store), await upload());
    await createFile(context, {}, used);
    await dropUpload(context, used);
    expect(await statesOf(place)).toEqual(['stored']);
  });
});

describe('the deletion of a file', () => {
  it('dooms the objects of all its versions, once, and those of no other file', async () => {
    const place = await createWorkspace(database.database);
    const context = place.context();
    const kept = await addFile(place, store);
    const file = await addFile(place, store);
    await addFileVersion(
      context,
      file.id,
      await storeUpload(context, storageOf(store), await upload('Rest.')),
    );
    await restoreFileVersion(context, file.id, 1);
    await deleteFile(context, file.id);
    expect(await statesOf(place)).toEqual(['stored', 'doomed', 'doomed']);
    expect(kept.content.objectUuid).toBe((await objectsOf(place))[0]?.uuid);
    await expectWhole(place);
  });

  it('that is rolled back dooms nothing', async () => {
    const place = await createWorkspace(database.database);
    const file = await addFile(place, store);
    await place.database.rolledBack(place.workspaceId, (db) =>
      deleteFile({ ...place.context(), db }, file.id),
    );
    expect(await statesOf(place)).toEqual(['stored']);
  });

  it('keeps an object of which a restored version is left', async () => {
    const place = await createWorkspace(database.database);
    const context = place.context();
    const file = await addFile(place, store);
    await addFileVersion(
      context,
      file.id,
      await storeUpload(context, storageOf(store), await upload('Rest.')),
    );
    await restoreFileVersion(context, file.id, 1);
    const removeVersion = (number: number) =>
      place.database.inWorkspace(place.workspaceId, (tx) => tx('file_versions').where({ number }).delete());
    await removeVersion(1);
    expect(await statesOf(place)).toEqual(['stored', 'stored']);
    await removeVersion(2);
    expect(await statesOf(place)).toEqual(['stored', 'doomed']);
  });
});

describe('the quota of a workspace', () => {
  it('holds for uploads at once, and counts what is reserved', async () => {
    const place = await createWorkspace(database.database);
    const uploads = await Promise.allSettled(
      Array.from({ length: 8 }, () =>
        addFile(place, store, { content: 'x'.repeat(100), bytesPerWorkspace: 350 }),
      ),
    );
    const refused = uploads.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(5);
    for (const error of refused) expect(error).toMatchObject({ code: 'storage_full' });
    expect(await usedBytes(place)).toBe(300);
    await expectWhole(place);
  });

  it('leaves a tenth to a member without the permission', async () => {
    const place = await createWorkspace(database.database);
    const small = { owner: place.member, content: 'x'.repeat(60), bytesPerWorkspace: 1_000 };
    await addFile(place, store, small);
    await expect(addFile(place, store, small)).rejects.toMatchObject({ code: 'storage_full' });
    await addFile(place, store, { content: 'x'.repeat(600), bytesPerWorkspace: 1_000 });
  });

  it('is not used by what is refused', async () => {
    const place = await createWorkspace(database.database);
    const html = '<!doctype html><html><script>alert(1)</script></html>';
    await expect(addFile(place, store, { filename: 'page.html', content: html })).rejects.toMatchObject({
      code: 'unsupported_file_kind',
    });
    await expect(addFile(place, store, { content: '' })).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await usedBytes(place)).toBe(0);
  });
});

it('a member has few uploads under way at once', async () => {
  const place = await createWorkspace(database.database);
  const context = place.context(place.member);
  for (let count = 0; count < 10; count += 1) await storeUpload(context, storageOf(store), await upload());
  await expect(storeUpload(context, storageOf(store), await upload())).rejects.toMatchObject({
    code: 'too_many_uploads',
  });
  await addFile(place, store);
});

it('two uploads of one name at once are two files', async () => {
  const before = (await filesOf(workspace)).length;
  const [one, other] = await Promise.all([addFile(workspace, store), addFile(workspace, store)]);
  expect(one.filename).toBe(other.filename);
  expect(one.content.objectUuid).not.toBe(other.content.objectUuid);
  expect(await filesOf(workspace)).toHaveLength(before + 2);
});

it('versions that are uploaded at once get numbers of their own', async () => {
  const context = workspace.context();
  const file = await addFile(workspace, store);
  const versions = await Promise.all(
    Array.from({ length: 5 }, async () =>
      addFileVersion(context, file.id, await storeUpload(context, storageOf(store), await upload())),
    ),
  );
  expect(versions.map(({ number }) => number).sort()).toEqual([2, 3, 4, 5, 6]);
});
