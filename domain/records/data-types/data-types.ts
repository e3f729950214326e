import {
  type DataTypeFilter,
  type DataTypeRow,
  type DataTypeSortField,
  findDataType,
  selectDataTypes,
} from '../../../db/records/data-types.js';
import type { CommandContext } from '../../kernel/context.js';
import { NotFound } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

/** Every member may read a data type. @throws NotFound */
export async function getDataType({ db, actor }: CommandContext, id: number): Promise<DataTypeRow> {
  const type = await db.inWorkspace(actor.workspaceId, (tx) => findDataType(tx, id));
  if (type === undefined) throw new NotFound('Data type');
  return type;
}

export async function listDataTypes(
  { db, actor }: CommandContext,
  filter: DataTypeFilter,
  page: PageRequest<DataTypeSortField>,
): Promise<PageOf<DataTypeRow>> {
  return db.readInWorkspace(actor.workspaceId, (tx) => selectDataTypes(tx, filter, page));
}
