import type { DataRecordDetails } from '../../../db/records/data-records.js';
import type { CommandContext } from '../../kernel/context.js';
import { changeDataRecord, type RecordChanges } from './change-data-record.js';

/**
 * Changes some of a record's values: omitted fields keep theirs, null clears a field.
 *
 * @throws NotFound, Forbidden, InvalidInput, Conflict `record_retired`
 */
export async function updateDataRecord(
  context: CommandContext,
  dataTypeId: number,
  id: number,
  changes: RecordChanges,
): Promise<DataRecordDetails> {
  return changeDataRecord(context, dataTypeId, { id }, changes);
}
