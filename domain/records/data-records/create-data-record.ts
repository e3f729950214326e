import type { DataRecordDetails } from '../../../db/records/data-records.js';
import type { ReadForNewRecord } from '../../../db/records/type-for-new-record.js';
import type { CommandContext } from '../../kernel/context.js';
import { type NewRecord, saveDataRecord } from './save-data-record.js';
import { createInOneStatement } from './writing/create-in-one-statement.js';

/**
 * Creates a record. If the type already has a record with the given external id, that record is updated instead, moves
 * to the given member and is restored if it was retired (specification, transitions of data records). This also holds
 * for concurrent requests.
 *
 * @param prefetched the prefetched result of `prefetchNewRecord`, if there is one
 * @throws NotFound, Forbidden, InvalidInput (`duplicate` if the member already has its single record), Conflict
 *   `record_retired`
 */
export async function createDataRecord(
  context: CommandContext,
  dataTypeId: number,
  input: NewRecord,
  prefetched?: ReadForNewRecord,
): Promise<DataRecordDetails> {
  const { memberId = context.actor.memberId } = input;
  const created = prefetched && (await createInOneStatement(context, prefetched, { ...input, memberId }));
  return created ?? saveDataRecord(context, dataTypeId, input, { changesSingle: false });
}
