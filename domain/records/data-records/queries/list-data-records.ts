import { findDataTypeInRegion, type TypeInRegion } from '../../../../db/records/data-types.js';
import { listLimits, maxCounted, selectDataRecords } from '../../../../db/records/list-data-records.js';
import type { EnteredTx } from '../../../../db/tx.js';
import type { CommandContext } from '../../../kernel/context.js';
import { InvalidInput, NotFound } from '../../../lib/errors.js';
import { offsetOf, type PageOf, type PageRequest } from '../../../lib/paging.js';
import { canReadAll } from '../record-access.js';
import { type DataRecordView, withFiles } from './files-of-records.js';
import { type DataRecordFilter, recordSearch, recordSort } from './record-search.js';

/** The type with its workspace's region; undefined if there is no such type. */
interface ListedType {
  listed: TypeInRegion | undefined;
}

/** Prefetch for `listDataRecords`; does not depend on the caller. */
export async function prefetchListedType(tx: EnteredTx, dataTypeId: number): Promise<ListedType> {
  return { listed: await findDataTypeInRegion(tx, dataTypeId) };
}

/** The furthest that a caller may have records counted and listed. */
export const mostCounted = 100_000;

/**
 * Lists records of a type that the caller may read, filtered and sorted by its indexed fields. The total is exact up to
 * `countTo`.
 * @param page sorted by `id`, `createdAt`, `updatedAt` or `field:<slug>`; within the first `countTo` records
 * @throws NotFound, Forbidden, InvalidInput
 */
export async function listDataRecords(
  context: CommandContext,
  dataTypeId: number,
  filter: DataRecordFilter,
  page: PageRequest,
  { prefetched, countTo = maxCounted }: { prefetched?: ListedType | undefined; countTo?: number } = {},
): Promise<PageOf<DataRecordView> & { totalIsExact: boolean }> {
  const { db, actor } = context;
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const { listed } = prefetched ?? (await prefetchListedType(tx, dataTypeId));
    if (listed === undefined) throw new NotFound('Data type');
    const { type, defaultRegion } = listed;
    const search = recordSearch(actor, type, filter, defaultRegion);
    const most = canReadAll(actor, type) ? countTo : Math.min(countTo, maxCounted);
    if (page.page * page.pageSize > most) {
      const message = `Pages end at ${most} records: ask for a part, by createdFrom, or for an export.`;
      throw InvalidInput.field('/page', message);
    }
    const { pageSize, sortOrder: direction } = page;
    const asked = { offset: offsetOf(page), pageSize, sort: recordSort(type, page.sortBy), direction };
    const found = await selectDataRecords(tx, search, asked, { ...listLimits, maxCounted: most });
    return { ...found, items: await withFiles(tx, actor, found.items, type) };
  });
}
