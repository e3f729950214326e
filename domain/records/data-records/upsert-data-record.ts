import type { DataRecordDetails } from '../../../db/records/data-records.js';
import type { CommandContext } from '../../kernel/context.js';
import { type NewRecord, saveDataRecord } from './save-data-record.js';

/**
 * Creates or updates the record with this external id. If there is none and the type holds one record for each member,
 * the member's existing record is updated and takes the external id. The call may be repeated, also concurrently.
 *
 * @throws NotFound, Forbidden, InvalidInput, Conflict `record_retired`
 */
export async function upsertDataRecord(
  context: CommandContext,
  dataTypeId: number,
  input: NewRecord & { externalId: string },
): Promise<DataRecordDetails> {
  return saveDataRecord(context, dataTypeId, input, { changesSingle: true });
}
