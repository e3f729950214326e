import { findPersonExport, selectOpenExports } from '../../../db/person-data/person-exports.js';
import { rowsOfRun } from '../../kernel/reconcile-rows.js';
import { pokeExportRun } from '../../kernel/runs.js';

/** Exports that are not finished. */
export const openExports = rowsOfRun({
  name: 'exports',
  runType: 'exportPersonData',
  select: (tx, { after, limit }) => selectOpenExports(tx, after, limit),
  async restart(tx, { id }) {
    const found = await findPersonExport(tx, id);
    if (found !== undefined && found.finishedAt === null) await pokeExportRun(tx, found);
  },
});
