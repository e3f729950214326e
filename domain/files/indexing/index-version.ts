import {
  findIndexedVersion,
  type IndexedVersion,
  lockIndexedVersion,
  patchIndexing,
} from '../../../db/files/file-indexing.js';
import {
  type PageOfPassages,
  removeOtherPassages,
  removePassages,
  replacePassages,
} from '../../../db/files/file-passages.js';
import type { ServiceContext } from '../../kernel/context.js';
import { type IndexingReason, initialIndexing } from './indexing.js';
import { searchLanguageOf } from './search-language.js';

/** After so many ends of the process in a row, without a new page, the file is given up. */
const maxAttempts = 3;
/** A version has at most so many pages, or parts; the rest is not searched. */
export const maxPages = 20_000;

export interface VersionRef {
  workspaceId: number;
  versionId: number;
}

export type IndexingOutcome = 'indexed' | 'unsupported' | 'failed' | 'given_up' | 'gone' | 'done';

/** What there is to do for a version: nothing (`outcome`), or to index its pages from one on. */
export type IndexingStep = { outcome: IndexingOutcome } | { version: IndexedVersion; fromPage: number };

export async function nextIndexingStep(context: ServiceContext, ref: VersionRef): Promise<IndexingStep> {
  const version = await context.db.readInWorkspace(ref.workspaceId, (tx) =>
    findIndexedVersion(tx, ref.versionId),
  );
  if (version === undefined) return { outcome: 'gone' };
  if (version.indexingState !== 'pending') return { outcome: 'done' };
  if (initialIndexing(version.mimeType).indexingState !== 'pending') {
    await finishIndexing(context, ref, { outcome: 'unsupported', reason: 'kind', pages: 0 });
    return { outcome: 'unsupported' };
  }
  return { version, fromPage: version.indexedPages + 1 };
}

/** Counts an attempt before it begins, because it may end with the whole process. @returns false: it is given up */
export async function countAttempt(context: ServiceContext, ref: VersionRef): Promise<boolean> {
  return context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const version = await lockIndexedVersion(tx, ref.versionId);
    if (version?.indexingState !== 'pending') return false;
    if (version.indexingAttempts >= maxAttempts) {
      const indexingReason = version.indexingReason ?? 'crashed';
      await patchIndexing(tx, ref.versionId, { indexingState: 'given_up', indexingReason });
      return false;
    }
    await patchIndexing(tx, ref.versionId, { indexingAttempts: version.indexingAttempts + 1 });
    return true;
  });
}

/** Takes back an attempt that was interrupted from outside: by a stopping worker, or by the caller. */
export async function uncountAttempt(context: ServiceContext, ref: VersionRef): Promise<void> {
  await context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const version = await lockIndexedVersion(tx, ref.versionId);
    if (version?.indexingState !== 'pending' || version.indexingAttempts === 0) return;
    await patchIndexing(tx, ref.versionId, { indexingAttempts: version.indexingAttempts - 1 });
  });
}

/** Notes why the process ended, for operators. @returns whether it is tried again */
export async function recordCrash(
  context: ServiceContext,
  ref: VersionRef,
  reason: IndexingReason,
): Promise<boolean> {
  return context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const version = await lockIndexedVersion(tx, ref.versionId);
    if (version?.indexingState !== 'pending') return false;
    const isLast = version.indexingAttempts >= maxAttempts;
    await patchIndexing(tx, ref.versionId, {
      indexingReason: reason,
      ...(isLast ? { indexingState: 'given_up' } : {}),
    });
    return !isLast;
  });
}

/**
 * Stores pages, up to `lastPage`: a checkpoint. The attempt that made it is the first one again. `fromPage` is the first
 * page that the attempt has not stored: if fewer are stored than before it, an attempt that was taken for lost goes on
 * while the indexing has begun anew.
 * @returns false if the version is gone, or its indexing has begun anew
 */
export async function storePages(
  context: ServiceContext,
  ref: VersionRef,
  batch: { pages: readonly PageOfPassages[]; fromPage: number; lastPage: number },
): Promise<boolean> {
  const { fromPage, lastPage, pages } = batch;
  return context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const version = await lockIndexedVersion(tx, ref.versionId);
    if (version?.indexingState !== 'pending' || version.indexedPages < fromPage - 1) return false;
    const workspace = await context.db.identity.workspaces.findById(ref.workspaceId, tx);
    await replacePassages(tx, version, pages, searchLanguageOf(workspace?.locale ?? ''));
    await patchIndexing(tx, ref.versionId, {
      indexedPages: lastPage,
      indexingAttempts: 1,
      indexingReason: null,
    });
    return true;
  });
}

/**
 * Ends the indexing of a version, of which `pages` are stored. Passages of earlier versions of the file are not needed
 * any more. @returns false if the version is gone, or its indexing has begun anew
 */
export async function finishIndexing(
  context: ServiceContext,
  ref: VersionRef,
  end: { outcome: 'indexed' | 'unsupported' | 'failed'; reason: IndexingReason | null; pages: number },
): Promise<boolean> {
  return context.db.inWorkspace(ref.workspaceId, async (tx) => {
    const version = await lockIndexedVersion(tx, ref.versionId);
    if (version?.indexingState !== 'pending' || version.indexedPages < end.pages) return false;
    const isIndexed = end.outcome === 'indexed';
    await patchIndexing(tx, ref.versionId, {
      indexingState: end.outcome,
      indexingReason: end.reason,
      ...(isIndexed ? {} : { indexedPages: 0 }),
    });
    if (!isIndexed) await removePassages(tx, [ref.versionId]);
    if (version.isCurrent) await removeOtherPassages(tx, version);
    return true;
  });
}
