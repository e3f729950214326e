import { type DataRecordDetails, lockDataRecordByExternalId } from '../../../db/records/data-records.js';
import type { CommandContext } from '../../kernel/context.js';
import { changeDataRecord, type RecordChanges, type RecordChoice } from './change-data-record.js';
import { requireExternalId } from './record-access.js';

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
  const choice: RecordChoice = {
    lock: (tx) => lockDataRecordByExternalId(tx, dataTypeId, externalId),
    admit: (type, record) => requireExternalId(context.actor, type, record),
  };
  return changeDataRecord(context, dataTypeId, choice, changes);
}
