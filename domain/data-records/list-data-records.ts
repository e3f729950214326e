import {
  type DataRecordDetails,
  type DataRecordFilter,
  type DataRecordSortField,
  listDataRecords as findRecords,
} from '../../db/queries/data-records.js';
import { findDataType } from '../../db/queries/data-types.js';
import type { CommandContext } from '../context.js';
import { NotFound } from '../errors.js';
import type { PageOf, PageRequest } from '../paging.js';
import { canReadAll, requireRead } from './record-access.js';

/**
 * Records of a type. Who may not read others' finds their own only, and is refused when asking for another's.
 *
 * @throws NotFound, Forbidden
 */
export async function listDataRecords(
  { db, actor }: CommandContext,
  filter: DataRecordFilter,
  page: PageRequest<DataRecordSortField>,
): Promise<PageOf<DataRecordDetails>> {
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const type = await findDataType(tx, filter.dataTypeId);
    if (type === undefined) throw new NotFound('Data type');
    if (filter.memberId !== undefined) requireRead(actor, type, filter.memberId);
    const visible = canReadAll(actor, type) ? filter : { ...filter, memberId: actor.memberId };
    return findRecords(tx, visible, page);
  });
}
