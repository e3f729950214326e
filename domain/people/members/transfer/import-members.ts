import { selectMemberRoles } from '../../../../db/people/member-roles.js';
import { allDataTypes } from '../../../../db/records/data-types.js';
import type { CommandContext } from '../../../kernel/context.js';
import { InvalidInput } from '../../../lib/errors.js';
import type { BlankCells } from '../../../records/csv/cells.js';
import type { FileImportResult, ImportProgress } from '../../../records/csv/import-tally.js';
import { openCsv } from '../../../records/csv/open-csv.js';
import { runImport } from '../../../records/csv/run-import.js';
import { canWriteAll } from '../../../records/data-records/record-access.js';
import { chooseAssignableRole } from '../assignable-role.js';
import { expectedMemberColumns, requireIdentifyingColumn, typesIn } from './csv-columns.js';
import { importMemberRows } from './import-batch.js';

/** Smaller than usual, because each row takes several writes: bounds how long locks are held. */
const rowsInBatch = 50;

export interface MembersToImport {
  path: string;
  /** The role of new members; default: the first role without admin permissions. */
  newMemberRoleId?: number;
  blankCells?: BlankCells;
  /** Ends the import after the current batch. */
  signal: AbortSignal;
}

export interface MemberImportResult extends FileImportResult {
  updatedMembers: number[];
}

/**
 * Each batch is a transaction, so that an interrupted import can be repeated (specification, member import). @throws
 * Forbidden, InvalidInput before the first progress is yielded
 */
export async function* importMembers(
  context: CommandContext,
  { path, newMemberRoleId, blankCells = 'keep', signal }: MembersToImport,
): AsyncGenerator<ImportProgress | MemberImportResult> {
  const { db, actor } = context;
  actor.require('members:write');
  const { role, types } = await db.readInWorkspace(actor.workspaceId, async (tx) => ({
    role: await selectMemberRoles(tx)
      .then((roles) => chooseAssignableRole(roles, actor, newMemberRoleId))
      .catch(atNewMemberRole),
    types: await allDataTypes(tx),
  }));
  const { columns, columnsPassedOver, total, rows } = await openCsv(path, expectedMemberColumns(types));
  requireIdentifyingColumn(columns);
  const written = typesIn(columns, types);
  for (const type of written) if (!canWriteAll(actor, type)) actor.require('records:write');

  const settings = {
    columns,
    dataTypeIds: written.map(({ id }) => id),
    newMemberRoleId: role.id,
    blankCells,
  };
  const updated = new Set<number>();
  const result = yield* runImport({
    rows: rows(),
    total,
    batchSize: rowsInBatch,
    signal,
    onDoubled: () => db.gatherStatistics(),
    write: async (batch) => {
      const outcomes = await importMemberRows(context, settings, batch);
      for (const outcome of outcomes) if (outcome.status === 'updated') updated.add(outcome.memberId);
      return outcomes;
    },
  });
  yield { ...result, columnsPassedOver, updatedMembers: [...updated] };
}

/** Points role errors at the field of this request. */
function atNewMemberRole(error: unknown): never {
  if (!(error instanceof InvalidInput)) throw error;
  const errors = error.errors.map(({ message }) => ({ pointer: '/newMemberRoleId', message }));
  throw InvalidInput.fields(errors, error.code);
}
