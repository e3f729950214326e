import { type DataRecordDetails, findDataRecord } from '../../db/queries/data-records.js';
import { findDataType } from '../../db/queries/data-types.js';
import type { CommandContext } from '../context.js';
import { NotFound } from '../errors.js';
import { requireRead } from './record-access.js';

/** One record. @throws NotFound, Forbidden */
export async function getDataRecord(
  { db, actor }: CommandContext,
  dataTypeId: number,
  id: number,
): Promise<DataRecordDetails> {
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const type = await findDataType(tx, dataTypeId);
    if (type === undefined) throw new NotFound('Data type');
    const record = await findDataRecord(tx, dataTypeId, id);
    if (record === undefined) throw new NotFound('Data record');
    requireRead(actor, type, record.memberId);
    return record;
  });
}
