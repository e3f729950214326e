import { rm } from 'node:fs/promises';
import { ApplicationFailure, cancellationSignal, heartbeat } from '@temporalio/activity';
import { cutPassages } from '../../domain/files/indexing/cut-passages.js';
import {
  countAttempt,
  finishIndexing,
  type IndexingOutcome,
  maxPages,
  nextIndexingStep,
  recordCrash,
  storePages,
  uncountAttempt,
  type VersionRef,
} from '../../domain/files/indexing/index-version.js';
import { objectKey } from '../../domain/files/object-store.js';
import { StorageMissing } from '../../providers/storage/storage.js';
import type { ActivityDependencies } from '../kernel/dependencies.js';
import { retryLater } from '../kernel/retry-later.js';
import { ExtractionCrashed, ExtractionRefused, extractText } from './extract-text.js';
import { PageBatch } from './page-batch.js';

const heartbeatMs = 5_000;

export interface IndexedFile {
  outcome: IndexingOutcome;
  /** The pages, or parts, up to which the version is indexed. */
  pages: number;
}

type Dependencies = Pick<ActivityDependencies, 'db' | 'clock' | 'storage'>;

export function indexingActivities(dependencies: Dependencies, extract: typeof extractText = extractText) {
  return {
    /** Indexes the text of a version, from where an earlier attempt has come to. */
    async indexFile(ref: VersionRef & { workspaceUuid: string }): Promise<IndexedFile> {
      const step = await nextIndexingStep(dependencies, ref);
      if ('outcome' in step) return { outcome: step.outcome, pages: 0 };
      const beats = setInterval(() => heartbeat(), heartbeatMs);
      let path: string | undefined;
      try {
        const { objectUuid, fileSize, mimeType } = step.version;
        path = await fetchBytes(objectKey(ref.workspaceUuid, objectUuid), fileSize);
        if (path === undefined) return await end(ref, 'failed', 'damaged', 0);
        if (!(await countAttempt(dependencies, ref)))
          return { outcome: 'given_up', pages: step.fromPage - 1 };
        return await indexPages(ref, { path, mimeType, fromPage: step.fromPage });
      } finally {
        clearInterval(beats);
        if (path !== undefined) await rm(path, { force: true });
      }
    },
  };

  /** Receives the bytes into the spool folder, where a crash leaves them to its collector. */
  async function fetchBytes(key: string, fileSize: number): Promise<string | undefined> {
    const { storage } = dependencies;
    try {
      const received = await storage.receive(await storage.get(key), { maxBytes: fileSize });
      return received.path;
    } catch (error) {
      if (error instanceof StorageMissing) return undefined;
      throw retryLater(error);
    }
  }

  async function indexPages(
    ref: VersionRef,
    file: { path: string; mimeType: string; fromPage: number },
  ): Promise<IndexedFile> {
    const signal = cancellationSignal();
    const batch = new PageBatch();
    let pages = file.fromPage - 1;
    let stored = pages;
    const store = async (): Promise<boolean> => {
      const taken = { pages: batch.take(), fromPage: stored + 1, lastPage: pages };
      const isPending = await storePages(dependencies, ref, taken);
      stored = pages;
      heartbeat({ pages });
      return isPending;
    };
    try {
      for await (const { page, text } of extract({ ...file, signal })) {
        pages = page;
        batch.add({ page, passages: cutPassages(text) });
        if (batch.isFull && !(await store())) return { outcome: 'gone', pages };
        if (pages >= maxPages) break;
      }
      if (!batch.isEmpty && !(await store())) return { outcome: 'gone', pages };
      if (pages === 0) return await end(ref, 'unsupported', 'no_text', 0);
      return await end(ref, 'indexed', pages >= maxPages ? 'truncated' : null, pages);
    } catch (error) {
      if (error instanceof ExtractionRefused) return await end(ref, 'failed', error.reason, stored);
      if (error instanceof ExtractionCrashed) return await crashed(ref, error, pages);
      // A stopped worker or a database that is away says nothing about the file.
      await uncountAttempt(dependencies, ref).catch(() => {});
      throw error;
    }
  }

  async function end(
    ref: VersionRef,
    outcome: 'indexed' | 'unsupported' | 'failed',
    reason: Parameters<typeof finishIndexing>[2]['reason'],
    pages: number,
  ): Promise<IndexedFile> {
    const isEnded = await finishIndexing(dependencies, ref, { outcome, reason, pages });
    return { outcome: isEnded ? outcome : 'gone', pages };
  }

  async function crashed(
    ref: VersionRef,
    { reason }: ExtractionCrashed,
    pages: number,
  ): Promise<IndexedFile> {
    const again = await recordCrash(dependencies, ref, reason);
    if (!again) return { outcome: 'given_up', pages };
    throw ApplicationFailure.create({
      type: 'extraction_crashed',
      message: `the process that reads the file has ended (${reason})`,
    });
  }
}
