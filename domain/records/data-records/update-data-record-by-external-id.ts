import type { DataRecordDetails } from '../../../db/records/data-records.js';
import type { CommandContext } from '../../kernel/context.js';
import { changeDataRecord, type RecordChanges } from './change-data-record.js';

/**
 * Updates a record by its external id instead of its id.
 *
 * @throws NotFound, Forbidden, InvalidInput, Conflict `record_retired`
 */
export async function updateDataRecordByExternalId(
  context: CommandContext,
  dataTypeId: number,
  externalId: string,
  changes: RecordChanges,
): Promise<DataRecordDetails> {
  return changeDataRecord(context, dataTypeId, { externalId }, changes);
}
