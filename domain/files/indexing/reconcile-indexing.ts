import { lockIndexedVersion, selectPendingVersions } from '../../../db/files/file-indexing.js';
import { rowsOfRun } from '../../kernel/reconcile-rows.js';
import { startIndexingRun } from '../../kernel/runs.js';

/** Versions that wait to be indexed. */
export const pendingVersions = rowsOfRun({
  name: 'indexings',
  runType: 'indexFile',
  select: selectPendingVersions,
  async restart(tx, { id }) {
    const version = await lockIndexedVersion(tx, id);
    if (version?.indexingState === 'pending') await startIndexingRun(tx, version);
  },
});
