import type { EnteredTx } from '../../../db/database.js';
import type { DataRecordDetails } from '../../../db/records/data-records.js';
import { findDataTypeInRegion, type TypeInRegion } from '../../../db/records/data-types.js';
import { listDataRecords as findRecords, mostCounted } from '../../../db/records/list-data-records.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { offsetOf, type PageOf, type PageRequest } from '../../lib/paging.js';
import { recordSort } from './record-query.js';
import { type DataRecordFilter, recordSearch } from './record-search.js';

export type { DataRecordFilter } from './record-search.js';

/** Records with how many there are; beyond 10,000 that is not counted. */
export type DataRecordPage = PageOf<DataRecordDetails> & { totalIsExact: boolean };

/** What a list is read by; the type is undefined where there is none. */
interface ListedType {
  listed: TypeInRegion | undefined;
}

/** What `listDataRecords` asks, whoever calls. */
export async function prefetchListedType(tx: EnteredTx, dataTypeId: number): Promise<ListedType> {
  return { listed: await findDataTypeInRegion(tx, dataTypeId) };
}

/**
 * Records of a type, filtered and sorted by its indexed fields. Who may not read others' finds their own, and what is
 * shared with everyone, and is refused when asking for another's.
 *
 * @param page sorted by `id`, `createdAt`, `updatedAt` or `field:<slug>`; among the first 10,000 records
 * @param asked where that was asked already
 * @throws NotFound, Forbidden, InvalidInput
 */
export async function listDataRecords(
  context: CommandContext,
  dataTypeId: number,
  filter: DataRecordFilter,
  page: PageRequest,
  asked?: ListedType,
): Promise<DataRecordPage> {
  const { db, actor } = context;
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const { listed } = asked ?? (await prefetchListedType(tx, dataTypeId));
    if (listed === undefined) throw new NotFound('Data type');
    const { type, defaultRegion } = listed;
    const search = recordSearch(actor, type, filter, defaultRegion);
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
