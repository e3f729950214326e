import { type DataRecordDetails, lockDataRecord } from '../../db/queries/data-records.js';
import { pinDataType } from '../../db/queries/data-types.js';
import type { CommandContext } from '../context.js';
import { NotFound } from '../errors.js';
import type { FieldValues } from './check-record-values.js';
import { saveValues } from './save-values.js';

/** Changes some of a record's values; omitted ones stay, null empties. @throws NotFound, Forbidden, InvalidInput */
export async function updateDataRecord(
  context: CommandContext,
  dataTypeId: number,
  id: number,
  fieldValues: FieldValues,
): Promise<DataRecordDetails> {
  const { db, actor } = context;
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const type = await pinDataType(tx, dataTypeId);
    if (type === undefined) throw new NotFound('Data type');
    const record = await lockDataRecord(tx, dataTypeId, id);
    if (record === undefined) throw new NotFound('Data record');
    return saveValues(tx, context, type, record, { fieldValues });
  });
}
