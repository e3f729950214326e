import { findIndexedVersion, patchIndexing } from '../../../db/files/file-indexing.js';
import type { Tx } from '../../../db/tx.js';
import { startIndexingRun } from '../../kernel/runs.js';
import { type Indexing, initialIndexing } from './indexing.js';

/** Starts the run that indexes a new version, in the transaction that inserts it, if its kind has text. */
export async function beginIndexing(tx: Tx, versionId: number): Promise<Indexing> {
  const version = await findIndexedVersion(tx, versionId);
  if (version === undefined) throw new Error('the version to be indexed is not there');
  const indexing = initialIndexing(version.mimeType);
  if (indexing.indexingState === 'pending') await startIndexingRun(tx, version);
  else await patchIndexing(tx, versionId, indexing);
  return indexing;
}
