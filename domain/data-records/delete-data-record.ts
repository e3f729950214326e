import { lockDataRecord, deleteDataRecord as removeRecord } from '../../db/queries/data-records.js';
import type { CommandContext } from '../context.js';
import { NotFound } from '../errors.js';

/** Removes a record and its history for good. @throws NotFound, Forbidden */
export async function deleteDataRecord(
  { db, actor }: CommandContext,
  dataTypeId: number,
  id: number,
): Promise<void> {
  actor.require('records:admin');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const record = await lockDataRecord(tx, dataTypeId, id);
    if (record === undefined) throw new NotFound('Data record');
    await removeRecord(tx, id);
  });
}
