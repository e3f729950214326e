import type { Database } from '../../../../db/database.js';
import type { DataRecordRow } from '../../../../db/records/data-records.js';
import { type DataTypeRow, findDataType } from '../../../../db/records/data-types.js';
import type { RecordSearch } from '../../../../db/records/list-data-records.js';
import {
  dataRecordsAfter,
  dataRecordsByIds,
  idsOfMatches,
} from '../../../../db/records/transfer-data-records.js';
import type { Tx } from '../../../../db/tx.js';
import { recordAudit } from '../../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../../kernel/context.js';
import { workspaceRegion } from '../../../kernel/workspace-region.js';
import { NotFound } from '../../../lib/errors.js';
import { type Cell, cellOfField } from '../../csv/cells.js';
import { type CsvOptions, writeCsv } from '../../csv/write-csv.js';
import { type DataRecordFilter, recordSearch } from '../queries/record-search.js';
import { recordColumns } from './import-columns.js';

/** Records that are read in one transaction. */
const recordsInBatch = 100;
/** Matching ids that are looked up in advance. If more match, the export scans the type in order of id instead. */
const maxFoundBefore = 10_000;

/**
 * Exports the records that a list would show, without retired ones, as a CSV file that `importDataRecords` accepts.
 * Reads while the file is consumed: what changes meanwhile may or may not be included, and no record appears twice.
 * @throws NotFound, Forbidden, InvalidInput
 */
export async function exportDataRecords(
  context: CommandContext,
  dataTypeId: number,
  filter: Omit<DataRecordFilter, 'retired'>,
  options: CsvOptions = {},
): Promise<{ fileName: string; text: AsyncIterable<string> }> {
  const { db, actor } = context;
  const { type, search } = await db.readInWorkspace(actor.workspaceId, async (tx) => {
    const [type, region] = await Promise.all([findDataType(tx, dataTypeId), workspaceRegion(context, tx)]);
    if (type === undefined) throw new NotFound('Data type');
    return { type, search: recordSearch(actor, type, filter, region) };
  });
  await db.inWorkspace(actor.workspaceId, async (tx) =>
    recordAudit(tx, context, 'records:exported', { subject: ['data_type', dataTypeId] }),
  );
  const columns = [...Object.values(recordColumns), ...type.fields.map(({ slug }) => slug)];
  const rows = rowsOf(type, recordsOf(db, actor.workspaceId, search));
  return { fileName: `${type.slug}.csv`, text: writeCsv(columns, rows, options) };
}

async function* recordsOf(
  db: Database,
  workspaceId: number,
  search: RecordSearch,
): AsyncGenerator<DataRecordRow> {
  const read = <T>(work: (tx: Tx) => Promise<T>) => db.readInWorkspace(workspaceId, work);
  // A scan of a million records for a few matches would take too long.
  const ids =
    search.criteria.length === 0 ? undefined : await read((tx) => idsOfMatches(tx, search, maxFoundBefore));
  if (ids !== undefined) {
    for (let at = 0; at < ids.length; ) {
      const wanted = ids.slice(at, at + recordsInBatch);
      const { items, isCut } = await read((tx) => dataRecordsByIds(tx, search, wanted));
      yield* items;
      const last = items.at(-1);
      at += isCut && last !== undefined ? wanted.indexOf(last.id) + 1 : wanted.length;
    }
    return;
  }
  for (let after = 0; ; ) {
    const since = after;
    const batch = await read((tx) => dataRecordsAfter(tx, search, since, recordsInBatch));
    yield* batch.items;
    const last = batch.items.at(-1);
    if (last === undefined || (!batch.isCut && batch.items.length < recordsInBatch)) return;
    after = last.id;
  }
}

async function* rowsOf(type: DataTypeRow, records: AsyncIterable<DataRecordRow>): AsyncGenerator<Cell[]> {
  for await (const { id, externalId, memberId, fieldValues } of records) {
    const cells = type.fields.map((field) => cellOfField(field, fieldValues[field.slug]));
    yield [id, externalId, memberId, ...cells];
  }
}
