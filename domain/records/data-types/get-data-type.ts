import { type DataTypeRow, findDataType } from '../../../db/records/data-types.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';

/** Returns a data type. Every member may read it. @throws NotFound */
export async function getDataType({ db, actor }: CommandContext, id: number): Promise<DataTypeRow> {
  const type = await db.inWorkspace(actor.workspaceId, (tx) => findDataType(tx, id));
  if (type === undefined) throw new NotFound('Data type');
  return type;
}
