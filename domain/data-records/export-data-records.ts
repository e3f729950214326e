import type { Database } from '../../db/database.js';
import type { DataRecordRow } from '../../db/queries/data-records.js';
import { type DataTypeRow, findDataType } from '../../db/queries/data-types.js';
import { dataRecordsAfter, type TransferFilter } from '../../db/queries/transfer-data-records.js';
import type { CommandContext } from '../context.js';
import { type Cell, cellOfField } from '../csv/cells.js';
import { writeCsv } from '../csv/write-csv.js';
import { NotFound } from '../errors.js';
import { recordColumns } from './import-columns.js';
import { requireRead, visibleRecords } from './record-access.js';

/** What is read, and written out, at a stretch. */
const recordsInBatch = 100;

/**
 * The records that a list would show, as a CSV file that `importDataRecords` takes back: every one of them unchanged.
 * Retired ones are left out. Read in batches as the file is taken, in order of id: one that is added or changed
 * meanwhile may be in it or not, and none is in it twice.
 *
 * @throws NotFound, Forbidden
 */
export async function exportDataRecords(
  { db, actor }: CommandContext,
  filter: TransferFilter,
): Promise<{ fileName: string; text: AsyncIterable<string> }> {
  const type = await db.readInWorkspace(actor.workspaceId, (tx) => findDataType(tx, filter.dataTypeId));
  if (type === undefined) throw new NotFound('Data type');
  if (filter.memberId !== undefined) requireRead(actor, type, filter.memberId);
  const visible = { ...filter, ...visibleRecords(actor, type) };
  const columns = [...Object.values(recordColumns), ...type.fields.map(({ slug }) => slug)];
  const rows = rowsOf(type, recordsOf(db, actor.workspaceId, visible));
  return { fileName: `${type.slug}.csv`, text: writeCsv(columns, rows) };
}

async function* recordsOf(
  db: Database,
  workspaceId: number,
  filter: TransferFilter,
): AsyncGenerator<DataRecordRow> {
  for (let after = 0; ; ) {
    const since = after;
    const batch = await db.readInWorkspace(workspaceId, (tx) =>
      dataRecordsAfter(tx, filter, since, recordsInBatch),
    );
    yield* batch;
    const last = batch.at(-1);
    if (last === undefined || batch.length < recordsInBatch) return;
    after = last.id;
  }
}

async function* rowsOf(type: DataTypeRow, records: AsyncIterable<DataRecordRow>): AsyncGenerator<Cell[]> {
  for await (const { id, externalId, memberId, fieldValues } of records) {
    yield [
      id,
      externalId,
      memberId,
      ...type.fields.map((field) => cellOfField(field, fieldValues[field.slug])),
    ];
  }
}
