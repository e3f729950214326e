import type { IndexingState } from '../../../db/files/models/file-version.js';

/** Kinds of files whose text is extracted. */
const indexedTypes: readonly string[] = [
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'text/plain',
  'text/markdown',
  'text/csv',
];

/** Whether a kind of file has pages that people know by their numbers. Others are indexed by parts. */
export function hasPages(mimeType: string): boolean {
  return mimeType === 'application/pdf';
}

/**
 * Why a version is not searched: its kind has no text (`kind`), it contains none (`no_text`), it cannot be read
 * (`damaged`, `password`, `too_large_inside`), or the process that read it ended, three times without a new page
 * (`time`, `memory`, `output`, `crashed`). `truncated`: only the first part is searched.
 */
export const indexingReasons = [
  'kind',
  'no_text',
  'truncated',
  'damaged',
  'password',
  'too_large_inside',
  'time',
  'memory',
  'output',
  'crashed',
] as const;
export type IndexingReason = (typeof indexingReasons)[number];

export interface Indexing {
  indexingState: IndexingState;
  indexingReason: IndexingReason | null;
}

/** How a new version begins: `pending` versions get a run (`startIndexingRun`). */
export function initialIndexing(mimeType: string): Indexing {
  return indexedTypes.includes(mimeType)
    ? { indexingState: 'pending', indexingReason: null }
    : { indexingState: 'unsupported', indexingReason: 'kind' };
}
