import type { DataRecordDetails } from '../../db/queries/data-records.js';
import { findDataType } from '../../db/queries/data-types.js';
import { listDataRecords as findRecords, mostCounted } from '../../db/queries/list-data-records.js';
import type { CommandContext } from '../context.js';
import { InvalidInput, NotFound } from '../errors.js';
import { offsetOf, type PageOf, type PageRequest } from '../paging.js';
import { workspaceRegion } from '../workspaces/workspace-region.js';
import { recordSort } from './record-query.js';
import { type DataRecordFilter, recordSearch } from './record-search.js';

export type { DataRecordFilter } from './record-search.js';

/** Records with how many there are; beyond 10,000 that is not counted. */
export type DataRecordPage = PageOf<DataRecordDetails> & { totalIsExact: boolean };

/**
 * Records of a type, filtered and sorted by its indexed fields. Who may not read others' finds their own, and what is
 * shared with everyone, and is refused when asking for another's.
 *
 * @param page sorted by `id`, `createdAt`, `updatedAt` or `field:<slug>`; among the first 10,000 records
 * @throws NotFound, Forbidden, InvalidInput
 */
export async function listDataRecords(
  context: CommandContext,
  dataTypeId: number,
  filter: DataRecordFilter,
  page: PageRequest,
): Promise<DataRecordPage> {
  const { db, actor } = context;
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const [type, region] = await Promise.all([findDataType(tx, dataTypeId), workspaceRegion(context, tx)]);
    if (type === undefined) throw new NotFound('Data type');
    const search = recordSearch(actor, type, filter, region);
    if (page.page * page.pageSize > mostCounted) throw tooFar();
    return findRecords(tx, search, {
      offset: offsetOf(page),
      pageSize: page.pageSize,
      sort: recordSort(type, page.sortBy),
      direction: page.sortOrder,
    });
  });
}

function tooFar(): InvalidInput {
  const message = `Pages end at ${mostCounted} records: ask for a part, by createdFrom, or for an export.`;
  return InvalidInput.field('/page', message);
}
