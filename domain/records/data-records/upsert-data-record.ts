import type { DataRecordDetails } from '../../../db/records/data-records.js';
import type { CommandContext } from '../../kernel/context.js';
import { type NewRecord, saveDataRecord } from './save-data-record.js';

/**
 * Makes the record that has this external id be, and be so: it is changed, else, in a type that holds one a member, the
 * member's one record is and takes the external id over, else it is created. So it may be repeated, and may come fifty
 * times at once.
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
