import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TextPage } from '../../../activities/files/extract/lines.js';
import { ExtractionCrashed, ExtractionRefused } from '../../../activities/files/extract-text.js';
import { indexingActivities } from '../../../activities/files/index-file.js';
import { findIndexedVersion, patchIndexing } from '../../../db/files/file-indexing.js';
import { statement } from '../../../db/statement.js';
import { systemClock } from '../../../domain/lib/clock.js';
import { type Storage, StorageBusy, StorageUnusable } from '../../../providers/storage/storage.js';
import { addStoredFile } from '../../support/files/add-stored-file.js';
import { insertIndexedFile } from '../../support/files/indexed-file.js';
import { wordDocument } from '../../support/files/samples.js';
import { scratchStorage } from '../../support/storage/scratch-storage.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();

type Extract = (extraction: { fromPage: number }) => AsyncGenerator<TextPage>;

/** A file whose version waits to be indexed, and the activity, which reads it as told. */
async function stage(stored: 'stored' | 'missing' = 'stored', mimeType = 'text/plain') {
  const { database, workspaceId, workspaceUuid } = workspace;
  const { storage, remove } = scratchStorage();
  onTestFinished(remove);
  const { versionId } = await insertIndexedFile(workspace, { pages: [], state: 'pending', mimeType });
  const version = () => database.readInWorkspace(workspaceId, (tx) => findIndexedVersion(tx, versionId));
  const objectUuid = (await version())?.objectUuid;
  if (stored === 'stored') {
    const spooled = await storage.receive(bytes('x'), { maxBytes: 1 });
    await storage.put(`${workspaceUuid}/${objectUuid}`, spooled);
  }
  const asked: number[] = [];
  const run = (extract: Extract, over: Partial<Storage> = {}) => {
    const failing = {
      get: (key) => storage.get(key),
      receive: storage.receive.bind(storage),
      ...over,
    } as Storage;
    const dependencies = { db: database, clock: systemClock, storage: failing };
    const { indexFile } = indexingActivities(dependencies, (extraction) => {
      asked.push(extraction.fromPage);
      return extract(extraction);
    });
    return new MockActivityEnvironment().run(indexFile, { workspaceId, workspaceUuid, versionId });
  };
  const pages = () =>
    database
      .readInWorkspace(workspaceId, (tx) =>
        statement<{ page: number }>(tx, 'select page from file_passages where version_id = ? order by page', [
          versionId,
        ]),
      )
      .then((rows) => rows.map(({ page }) => page));
  return { run, version, pages, asked };
}

async function* bytes(text: string) {
  yield Buffer.from(text);
}

async function* pagesUpTo(last: number, from = 1): AsyncGenerator<TextPage> {
  for (let page = from; page <= last; page++) yield { page, text: `page ${page}` };
}

describe('indexFile', () => {
  test('stores the pages, and says so once', async () => {
    const { run, version, pages } = await stage();
    expect(await run(() => pagesUpTo(3))).toEqual({ outcome: 'indexed', pages: 3 });
    expect(await pages()).toEqual([1, 2, 3]);
    expect(await version()).toMatchObject({
      indexingState: 'indexed',
      indexingReason: null,
      indexedPages: 3,
    });
    expect(await run(() => pagesUpTo(3))).toEqual({ outcome: 'done', pages: 0 });
  });

  test('continues after the last stored page, and counts no attempt that has made progress', async () => {
    const { run, version, pages, asked } = await stage();
    for (let crash = 1; crash <= 4; crash++) {
      const reading = run(async function* ({ fromPage }) {
        yield* pagesUpTo(fromPage + 59, fromPage);
        throw new ExtractionCrashed('memory');
      });
      await expect(reading).rejects.toMatchObject({ type: 'extraction_crashed' });
    }
    expect(asked).toEqual([1, 51, 101, 151]);
    expect(await version()).toMatchObject({
      indexingState: 'pending',
      indexedPages: 200,
      indexingReason: 'memory',
    });

    expect(await run(({ fromPage }) => pagesUpTo(230, fromPage))).toEqual({ outcome: 'indexed', pages: 230 });
    expect(await pages()).toHaveLength(230);
  });

  test('gives a file up that crashes the process three times at the same page', async () => {
    const { run, version } = await stage();
    // biome-ignore lint/correctness/useYield: it ends before its first page
    const crash: Extract = async function* () {
      throw new ExtractionCrashed('time');
    };
    await expect(run(crash)).rejects.toMatchObject({ type: 'extraction_crashed' });
    await expect(run(crash)).rejects.toMatchObject({ type: 'extraction_crashed' });
    expect(await run(crash)).toEqual({ outcome: 'given_up', pages: 0 });
    expect(await version()).toMatchObject({ indexingState: 'given_up', indexingReason: 'time' });
  });

  test('stores a page of more words than PostgreSQL takes at once', async () => {
    const words = Array.from({ length: 150_000 }, (_, at) => at.toString(36).padStart(8, 'x'));
    const text = words.join(' ');
    const whole = workspace.within((tx) => statement(tx, "select to_tsvector('simple', ?)", [text]));
    await expect(whole).rejects.toThrow('string is too long for tsvector');

    const { run, pages } = await stage();
    const indexed = run(async function* () {
      yield { page: 1, text };
    });
    expect(await indexed).toEqual({ outcome: 'indexed', pages: 1 });
    expect((await pages()).length).toBeGreaterThan(1_000);
  });

  test('gives a file up that has ended the whole worker three times', async () => {
    const { run, version, asked } = await stage();
    await workspace.within(async (tx) =>
      statement(tx, 'update file_versions set indexing_attempts = 3 where id = ?', [(await version())?.id]),
    );
    expect(await run(() => pagesUpTo(1))).toEqual({ outcome: 'given_up', pages: 0 });
    expect(asked).toEqual([]);
    expect(await version()).toMatchObject({ indexingState: 'given_up', indexingReason: 'crashed' });
  });

  test('counts no attempt that failed for another reason than the file', async () => {
    const { run, version } = await stage();
    for (let failure = 1; failure <= 4; failure++) {
      // biome-ignore lint/correctness/useYield: it ends before its first page
      const failing = run(async function* () {
        throw new Error('the worker stops');
      });
      await expect(failing).rejects.toThrow('the worker stops');
    }
    expect(await version()).toMatchObject({ indexingState: 'pending', indexingAttempts: 0 });
  });

  test.each([
    [new StorageBusy('busy'), 'storage_busy'],
    [new StorageUnusable('credential'), 'storage_unusable'],
  ])('waits while the storage cannot be used: %s', async (failure, type) => {
    const { run, version } = await stage();
    const get = () => Promise.reject(failure);
    await expect(run(() => pagesUpTo(1), { get })).rejects.toMatchObject({ type });
    expect(await version()).toMatchObject({ indexingState: 'pending', indexingAttempts: 0 });
  });

  test('fails a file whose bytes are not there', async () => {
    const { run, version } = await stage('missing');
    expect(await run(() => pagesUpTo(1))).toEqual({ outcome: 'failed', pages: 0 });
    expect(await version()).toMatchObject({ indexingState: 'failed', indexingReason: 'damaged' });
  });

  test('fails a file at once that cannot be read, and keeps no passage of it', async () => {
    const { run, version, pages } = await stage();
    const outcome = await run(async function* () {
      yield* pagesUpTo(60);
      throw new ExtractionRefused('password');
    });
    expect(outcome).toEqual({ outcome: 'failed', pages: 50 });
    const failed = { indexingState: 'failed', indexingReason: 'password', indexedPages: 0 };
    expect(await version()).toMatchObject(failed);
    expect(await pages()).toEqual([]);
  });

  test('fails a Word document that unpacks to hundreds of times its size', async () => {
    const { database, workspaceId, workspaceUuid } = workspace;
    const { storage, remove } = scratchStorage();
    onTestFinished(remove);
    const bomb = { filename: 'bomb.docx', content: wordDocument(['a'.repeat(20_000_000)]) };
    const { currentVersionId: versionId } = await addStoredFile(workspace, storage, bomb);
    const { indexFile } = indexingActivities({ db: database, clock: systemClock, storage });

    const indexing = new MockActivityEnvironment().run(indexFile, { workspaceId, workspaceUuid, versionId });

    expect(await indexing).toEqual({ outcome: 'failed', pages: 0 });
    const version = await database.readInWorkspace(workspaceId, (tx) => findIndexedVersion(tx, versionId));
    expect(version).toMatchObject({ indexingState: 'failed', indexingReason: 'too_large_inside' });
  });

  test('stores the 10,000 pages of a document', async () => {
    const { run, version, pages } = await stage();
    expect(await run(() => pagesUpTo(10_000))).toEqual({ outcome: 'indexed', pages: 10_000 });
    expect(await version()).toMatchObject({ indexingState: 'indexed', indexedPages: 10_000 });
    expect(await pages()).toHaveLength(10_000);
  });

  test('an attempt that was taken for lost stores nothing after the indexing has begun anew', async () => {
    const { run, version, pages } = await stage();
    const beginAnew = async () => {
      const { id = 0 } = (await version()) ?? {};
      await workspace.within(async (tx) => {
        await statement(tx, 'delete from file_passages where version_id = ?', [id]);
        await patchIndexing(tx, id, { indexedPages: 0, indexingAttempts: 0 });
      });
    };
    const storing = run(async function* () {
      yield* pagesUpTo(50);
      await beginAnew();
      yield* pagesUpTo(100, 51);
    });
    expect(await storing).toMatchObject({ outcome: 'gone' });
    const ending = run(async function* () {
      yield* pagesUpTo(50);
      await beginAnew();
    });
    expect(await ending).toMatchObject({ outcome: 'gone' });
    expect(await pages()).toEqual([]);
    expect(await version()).toMatchObject({ indexingState: 'pending', indexedPages: 0 });
  });

  test('reads no file of a kind without text', async () => {
    const { run, version, asked } = await stage('stored', 'image/png');
    expect(await run(() => pagesUpTo(1))).toEqual({ outcome: 'unsupported', pages: 0 });
    expect(asked).toEqual([]);
    expect(await version()).toMatchObject({ indexingState: 'unsupported', indexingReason: 'kind' });
  });

  test('says that a scan has no text', async () => {
    const { run, version } = await stage();
    expect(await run(() => pagesUpTo(0))).toEqual({ outcome: 'unsupported', pages: 0 });
    expect(await version()).toMatchObject({ indexingState: 'unsupported', indexingReason: 'no_text' });
  });
});
