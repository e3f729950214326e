import {
  type DataTypeFilter,
  type DataTypeRow,
  type DataTypeSortField,
  listDataTypes as findDataTypes,
} from '../../../db/records/data-types.js';
import type { CommandContext } from '../../kernel/context.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';

/** Lists the workspace's data types. Every member may read them. */
export async function listDataTypes(
  { db, actor }: CommandContext,
  filter: DataTypeFilter,
  page: PageRequest<DataTypeSortField>,
): Promise<PageOf<DataTypeRow>> {
  return db.readInWorkspace(actor.workspaceId, (tx) => findDataTypes(tx, filter, page));
}
