import { expect, test } from 'vitest';
import { findIndexedVersion, patchIndexing } from '../../../../db/files/file-indexing.js';
import { statement } from '../../../../db/statement.js';
import { reindexFile } from '../../../../domain/files/indexing/reindex-file.js';
import { fileLimits } from '../../../../domain/files/limits.js';
import { insertIndexedFile, page } from '../../../support/files/indexed-file.js';
import { createWorkspace } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';

const { workspace, database } = useWorkspace();
type Indexed = Parameters<typeof insertIndexedFile>[1];
type Changes = Parameters<typeof patchIndexing>[2];

/** A file, and what is stored of its indexing. */
async function stage(indexed: Partial<Indexed>, changes?: Changes) {
  const { fileId, versionId } = await insertIndexedFile(workspace, { pages: page('heron'), ...indexed });
  if (changes) await workspace.within((tx) => patchIndexing(tx, versionId, changes));
  const state = () =>
    workspace.within(async (tx) => {
      const version = await findIndexedVersion(tx, versionId);
      const [counted] = await statement<{ passages: number; pokes: number }>(
        tx,
        `select (select count(*) from file_passages where version_id = ?)::int as passages,
           (select count(*) from outbox where run_type = 'indexFile' and action = 'poke' and subject = ?)::int as pokes`,
        [versionId, version?.uuid],
      );
      return { ...version, ...counted };
    });
  return { fileId, state };
}

const anew = {
  indexingState: 'pending',
  indexingReason: null,
  indexingAttempts: 0,
  indexedPages: 0,
  passages: 0,
};

test.each([
  ['indexed', { indexingReason: 'truncated', indexedPages: 1 }],
  ['given_up', { indexingReason: 'time', indexingAttempts: 3, indexedPages: 1 }],
  ['failed', { indexingReason: 'password', indexingAttempts: 1 }],
  ['unsupported', { indexingReason: 'no_text' }],
] as const)('a version that is %s begins anew', async (indexingState, changes) => {
  const { fileId, state } = await stage({}, { indexingState, ...changes });
  const view = await reindexFile(workspace.context(), fileId);
  expect(view.indexing).toEqual({ state: 'pending', reason: null, pages: 0 });
  expect(await state()).toMatchObject({ ...anew, pokes: 1 });
});

test('a version that waits keeps its pages, and its run is woken', async () => {
  const pending = { indexingReason: 'memory', indexingAttempts: 2, indexedPages: 1 } as const;
  const { fileId, state } = await stage({ state: 'pending' }, pending);
  await reindexFile(workspace.context(), fileId);
  expect(await state()).toMatchObject({ ...pending, passages: 1, pokes: 1 });
});

test('two requests at once begin anew once', async () => {
  const { fileId, state } = await stage({}, { indexedPages: 1 });
  await Promise.all([reindexFile(workspace.context(), fileId), reindexFile(workspace.context(), fileId)]);
  expect(await state()).toMatchObject({ ...anew, pokes: 2 });
});

test('a file of a kind without text stays as it is', async () => {
  const without = { indexingState: 'unsupported', indexingReason: 'kind' } as const;
  const { fileId, state } = await stage({ mimeType: 'image/png', pages: [] }, without);
  await reindexFile(workspace.context(), fileId);
  expect(await state()).toMatchObject({ ...without, pokes: 0 });
});

test('is refused while many files of the workspace wait, and not because of those of others', async () => {
  const other = await createWorkspace(database.database);
  const most = fileLimits.pendingForReindexing;
  for (let at = 0; at < most; at++) await insertIndexedFile(other, { state: 'pending', pages: [] });
  const { fileId } = await stage({});
  await reindexFile(workspace.context(), fileId);

  const refused = await insertIndexedFile(other, { pages: page('heron') });
  const reindexing = reindexFile(other.context(), refused.fileId);
  await expect(reindexing).rejects.toMatchObject({ code: 'too_many_to_index' });
});
