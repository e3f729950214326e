import { findPersonErasure, selectOpenErasures } from '../../db/person-data/person-erasures.js';
import { rowsOfRun } from '../kernel/reconcile-rows.js';
import { pokeErasureRun } from '../kernel/runs.js';

/** Erasures that are not finished. */
export const openErasures = rowsOfRun({
  name: 'erasures',
  runType: 'erasePersonData',
  select: (tx, { after, limit }) => selectOpenErasures(tx, after, limit),
  async restart(tx, { id }) {
    const erasure = await findPersonErasure(tx, id);
    if (erasure !== undefined && erasure.finishedAt === null) await pokeErasureRun(tx, erasure);
  },
});
