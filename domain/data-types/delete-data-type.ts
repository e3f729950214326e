import { countDataRecords } from '../../db/queries/data-records.js';
import { lockDataType, deleteDataType as removeType } from '../../db/queries/data-types.js';
import type { CommandContext } from '../context.js';
import { Conflict, NotFound } from '../errors.js';

/** Deletes a data type that has no records. @throws NotFound, Forbidden, Conflict `data_type_in_use` */
export async function deleteDataType({ db, actor }: CommandContext, id: number): Promise<void> {
  actor.require('datatypes:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    const type = await lockDataType(tx, id);
    if (type === undefined) throw new NotFound('Data type');
    const records = await countDataRecords(tx, id);
    if (records > 0) throw new Conflict('data_type_in_use', `The data type has ${records} records.`);
    await removeType(tx, id);
  });
}
