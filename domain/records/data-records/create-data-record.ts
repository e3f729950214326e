import type { DataRecordDetails } from '../../../db/records/data-records.js';
import type { ReadForNewRecord } from '../../../db/records/type-for-new-record.js';
import type { CommandContext } from '../../kernel/context.js';
import { createInOneStatement } from './create-in-one-statement.js';
import { type NewRecord, saveDataRecord } from './save-data-record.js';

/**
 * Creates a record. With an external id that the type knows already, that record is updated instead (specification,
 * transitions of data records): also when many such requests come at once. It moves to the member
 * that is named, and is in use again if it was retired.
 *
 * @param asked what `askForNewRecord` found a moment before, where it was asked
 * @throws NotFound, Forbidden, InvalidInput `duplicate` where the member's one record is there already, Conflict
 *   `record_retired`
 */
export async function createDataRecord(
  context: CommandContext,
  dataTypeId: number,
  input: NewRecord,
  asked?: ReadForNewRecord,
): Promise<DataRecordDetails> {
  const { memberId = context.actor.memberId } = input;
  const created = asked && (await createInOneStatement(context, asked, { ...input, memberId }));
  return created ?? saveDataRecord(context, dataTypeId, input, { changesSingle: false });
}
