import { type DataRecordDetails, lockDataRecordByExternalId } from '../../db/queries/data-records.js';
import { pinDataType } from '../../db/queries/data-types.js';
import type { CommandContext } from '../context.js';
import { NotFound } from '../errors.js';
import type { FieldValues } from './check-record-values.js';
import { requireExternalId } from './record-access.js';
import { saveValues } from './save-values.js';

/** The same as updating by id, for callers that know a record by their own id. @throws NotFound, Forbidden, InvalidInput */
export async function updateDataRecordByExternalId(
  context: CommandContext,
  dataTypeId: number,
  externalId: string,
  fieldValues: FieldValues,
): Promise<DataRecordDetails> {
  const { db, actor } = context;
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const type = await pinDataType(tx, dataTypeId);
    if (type === undefined) throw new NotFound('Data type');
    const record = await lockDataRecordByExternalId(tx, dataTypeId, externalId);
    requireExternalId(actor, type, record);
    if (record === undefined) throw new NotFound('Data record');
    return saveValues(tx, context, type, record, { fieldValues });
  });
}
