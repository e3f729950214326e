import { findMemberImport, selectOpenImports } from '../../../db/people/member-imports.js';
import { rowsOfRun } from '../../kernel/reconcile-rows.js';
import { pokeImportRun } from '../../kernel/runs.js';

/** Imports that have not ended. */
export const openImports = rowsOfRun({
  name: 'member_imports',
  runType: 'importMembers',
  select: (tx, { after, limit }) => selectOpenImports(tx, after, limit),
  async restart(tx, { id }) {
    const found = await findMemberImport(tx, id);
    if (found !== undefined && found.finishedAt === null) await pokeImportRun(tx, found);
  },
});
