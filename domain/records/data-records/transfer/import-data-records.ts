import type { Database } from '../../../../db/database.js';
import { findDataType, pinDataType } from '../../../../db/records/data-types.js';
import { recordAudit } from '../../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../../kernel/context.js';
import { requirePerson } from '../../../kernel/require-person.js';
import { workspaceRegion } from '../../../kernel/workspace-region.js';
import { NotFound } from '../../../lib/errors.js';
import type { BlankCells } from '../../csv/cells.js';
import type { FileImportResult, ImportProgress } from '../../csv/import-tally.js';
import { type CsvReading, openCsv } from '../../csv/open-csv.js';
import type { CsvRow } from '../../csv/parse-csv.js';
import { type ImportManner, runImport, writingTo } from '../../csv/run-import.js';
import { requireWrite } from '../record-access.js';
import { importBatch } from './import-batch.js';
import { expectedColumns, rowReader } from './import-columns.js';

interface RecordsToImport extends CsvReading, ImportManner {
  dataTypeId: number;
  path: string;
  /** The member for rows that name none; default: the caller. */
  memberId?: number;
  blankCells?: BlankCells;
  /** Ends the import after the current batch. */
  signal: AbortSignal;
}

/**
 * Imports the rows of a CSV file into a data type (docs/import-export.md). Refused rows are reported in the result, and
 * the others are written. Each batch is a transaction, so an interrupted import has written whole rows.
 * @throws NotFound, Forbidden, InvalidInput before anything is written
 */
export async function* importDataRecords(
  context: CommandContext,
  { dataTypeId, path, memberId: given, blankCells = 'keep', signal, ...how }: RecordsToImport,
): AsyncGenerator<ImportProgress | FileImportResult> {
  const { db, clock, actor } = context;
  const memberId = given ?? actor.memberId;
  const importer = { actor, memberId, memberIsDefault: given === undefined };
  const expected = await db.inWorkspace(actor.workspaceId, async (tx) => {
    const type = await findDataType(tx, dataTypeId);
    if (type === undefined) throw new NotFound('Data type');
    requireWrite(actor, type, memberId);
    await requirePerson(tx, memberId);
    return expectedColumns(type);
  });
  const { columns, columnsPassedOver, total, rows } = await openCsv(path, expected, how);
  if (!how.dryRun) {
    await db.inWorkspace(actor.workspaceId, async (tx) =>
      recordAudit(tx, context, 'records:imported', { subject: ['data_type', dataTypeId] }),
    );
  }

  const write = (batch: readonly CsvRow[], within: Database) =>
    within.inWorkspace(actor.workspaceId, async (tx) => {
      const [type, defaultRegion] = await Promise.all([
        pinDataType(tx, dataTypeId),
        workspaceRegion(context, tx),
      ]);
      if (type === undefined) throw new NotFound('Data type');
      const read = rowReader(type, columns, blankCells);
      const rowsOfBatch = batch.map(({ cells }) => read(cells));
      return importBatch(tx, { ...importer, now: clock.now(), defaultRegion }, type, rowsOfBatch);
    });
  const fileOfFailed = how.failedRowsFile ? columns : undefined;
  const result = yield* runImport({
    ...{ rows: rows(), total, fileOfFailed, signal },
    ...writingTo(context, how, write),
  });
  yield { ...result, columnsPassedOver };
}
