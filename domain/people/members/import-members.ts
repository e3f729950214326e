import { allDataTypes } from '../../../db/records/data-types.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput } from '../../lib/errors.js';
import type { BlankCells } from '../../records/csv/field-of-cell.js';
import type { FileImportResult, ImportProgress } from '../../records/csv/import-tally.js';
import { openCsv } from '../../records/csv/open-csv.js';
import { runImport } from '../../records/csv/run-import.js';
import { canWriteAll } from '../../records/data-records/record-access.js';
import { assignableRole } from './assignable-role.js';
import { importMemberRows, type MemberRowOutcome } from './import-batch.js';
import { expectedMemberColumns, requireIdentifyingColumn, typesIn } from './import-columns.js';

/** Each row is several: smaller batches than usual keep those who wait for the process or for locks waiting less. */
const rowsInBatch = 50;

export interface MembersToImport {
  /** Where the CSV file lies. */
  path: string;
  /** What new members become: the first non-admin role when left out. */
  newMemberRoleId?: number;
  blankCells?: BlankCells;
  /** Ends the import after the rows that are being written. */
  signal: AbortSignal;
}

export interface MemberImportResult extends FileImportResult {
  /** Ids of the members that were there already and are not as they were, they or their records. */
  updatedMembers: number[];
}

/**
 * Adds and changes members by the rows of a CSV file (specification, member import). What is wrong with the file as a
 * whole is thrown before anything is written; a row that is refused is told of at the end, and the others land. Each
 * batch is a transaction, so that what breaks off has written whole rows, and importing the file again goes on from
 * there. Roles of members that there are stay.
 *
 * @throws Forbidden, InvalidInput before the first line
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

/** The role is a field of its own here. */
function atNewMemberRole(error: unknown): never {
  if (!(error instanceof InvalidInput)) throw error;
  const errors = error.errors.map(({ message }) => ({ pointer: '/newMemberRoleId', message }));
  throw InvalidInput.fields(errors, error.code);
}
