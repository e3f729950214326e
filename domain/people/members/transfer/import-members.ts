import { allDataTypes } from '../../../../db/records/data-types.js';
import type { CommandContext } from '../../../kernel/context.js';
import { InvalidInput } from '../../../lib/errors.js';
import type { BlankCells } from '../../../records/csv/field-of-cell.js';
import type { FileImportResult, ImportProgress } from '../../../records/csv/import-tally.js';
import { openCsv } from '../../../records/csv/open-csv.js';
import { runImport } from '../../../records/csv/run-import.js';
import { canWriteAll } from '../../../records/data-records/record-access.js';
import { assignableRole } from '../assignable-role.js';
import { expectedMemberColumns, requireIdentifyingColumn, typesIn } from './csv-columns.js';
import { importMemberRows, type MemberRowOutcome } from './import-batch.js';

/**
 * Each row takes several writes, so batches are smaller than usual, to bound how long they block others and hold locks.
 */
const rowsInBatch = 50;

export interface MembersToImport {
  /** Path of the CSV file. */
  path: string;
  /** The role of new members; default: the first role without admin permissions. */
  newMemberRoleId?: number;
  blankCells?: BlankCells;
  /** Ends the import after the current batch. */
  signal: AbortSignal;
}

export interface MemberImportResult extends FileImportResult {
  /** Ids of existing members that changed, themselves or their records. */
  updatedMembers: number[];
}

/**
 * Imports members from a CSV file (specification, member import). Errors of the file as a whole are thrown before
 * anything is written. Refused rows are reported in the result, and the others are written. Each batch is a
 * transaction, so an interrupted import has written whole rows, and importing the file again continues from there.
 * Existing members keep their roles.
 *
 * @throws Forbidden, InvalidInput before the first progress is yielded
 */
export async function* importMembers(
  context: CommandContext,
  { path, newMemberRoleId, blankCells = 'keep', signal }: MembersToImport,
): AsyncGenerator<ImportProgress | MemberImportResult> {
  const { db, actor } = context;
  actor.require('members:write');
  const { role, types } = await db.readInWorkspace(actor.workspaceId, async (tx) => ({
    role: await assignableRole(tx, actor, newMemberRoleId).catch(atNewMemberRole),
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
      for (const outcome of outcomes) noteUpdated(updated, outcome);
      return outcomes;
    },
  });
  yield { ...result, columnsPassedOver, updatedMembers: [...updated] };
}

function noteUpdated(updated: Set<number>, outcome: MemberRowOutcome): void {
  if (outcome.status === 'updated') updated.add(outcome.memberId);
}

/** Points role errors at the field of this request. */
function atNewMemberRole(error: unknown): never {
  if (!(error instanceof InvalidInput)) throw error;
  const errors = error.errors.map(({ message }) => ({ pointer: '/newMemberRoleId', message }));
  throw InvalidInput.fields(errors, error.code);
}
