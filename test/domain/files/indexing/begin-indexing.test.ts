import { afterAll, expect, test } from 'vitest';
import { addFileVersion } from '../../../../domain/files/versions/add-version.js';
import { storeUpload } from '../../../../domain/files/versions/store-upload.js';
import { addFile, storageOf } from '../../../support/files/add-file.js';
import { createMemoryStore } from '../../../support/files/memory-store.js';
import { png } from '../../../support/files/samples.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
const store = createMemoryStore();
afterAll(() => store.close());

/** Of each version of a file: how far its indexing is, and how many entries for its run there are. */
async function versionsOf(fileId: number) {
  return workspace.within((tx) =>
    tx('file_versions as v')
      .select('v.number', 'v.indexing_state as state', 'v.indexing_reason as reason')
      .select(
        tx.raw(`(select count(*) from outbox where run_type = 'indexFile' and subject = v.uuid
          and action = 'start') as runs`),
      )
      .where({ file_id: fileId })
      .orderBy('number'),
  );
}

test('an upload with text starts the run that indexes it, and so does its next version', async () => {
  const file = await addFile(workspace, store);
  const upload = { spooled: await store.spool('Rest a while.'), name: 'leaflet.txt' };
  const context = workspace.context();
  await addFileVersion(context, file.id, await storeUpload(context, storageOf(store), upload));

  expect(await versionsOf(file.id)).toEqual([
    { number: 1, state: 'pending', reason: null, runs: 1 },
    { number: 2, state: 'pending', reason: null, runs: 1 },
  ]);
});

test('an upload of a kind without text starts none, and says why', async () => {
  const file = await addFile(workspace, store, { filename: 'photo.png', content: png() });
  expect(await versionsOf(file.id)).toEqual([{ number: 1, state: 'unsupported', reason: 'kind', runs: 0 }]);
});
