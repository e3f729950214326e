import type { DataRecordDetails } from '../../db/queries/data-records.js';
import { findDataType } from '../../db/queries/data-types.js';
import { listDataRecords as findRecords, mostCounted } from '../../db/queries/list-data-records.js';
import type { RecordCriterion } from '../../db/queries/record-criteria.js';
import type { CommandContext } from '../context.js';
import { InvalidInput, NotFound } from '../errors.js';
import { offsetOf, type PageOf, type PageRequest } from '../paging.js';
import { workspaceRegion } from '../workspaces/workspace-region.js';
import { requireRead, visibleRecords } from './record-access.js';
import { filterCriteria, recordSort, searchCriteria } from './record-query.js';

/** What of a type's records is asked for, all of it together. */
export interface DataRecordFilter {
  memberId?: number | undefined;
  externalId?: string | undefined;
  /** Whether retired; live ones when left out. */
  retired?: boolean | 'all' | undefined;
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
  updatedFrom?: Date | undefined;
  updatedBefore?: Date | undefined;
  /** `<slug>:<operator>:<value>`: parse-filter.ts. */
  filters?: readonly string[] | undefined;
  /** Beginnings of words in the record's indexed texts. */
  search?: string | undefined;
}

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
    if (filter.memberId !== undefined) requireRead(actor, type, filter.memberId);
    if (page.page * page.pageSize > mostCounted) throw tooFar();
    const { visibleTo } = visibleRecords(actor, type);
    const criteria: RecordCriterion[] = [
      ...(visibleTo === undefined ? [] : [{ kind: 'visibleTo' as const, memberId: visibleTo }]),
      ...ownCriteria(filter),
      ...filterCriteria(type, filter.filters ?? [], region),
      ...(filter.search === undefined ? [] : searchCriteria(type, filter.search)),
    ];
    const retired = filter.retired ?? false;
    const states = retired === 'all' ? [false, true] : [retired];
    return findRecords(
      tx,
      { dataTypeId, states, criteria },
      {
        offset: offsetOf(page),
        pageSize: page.pageSize,
        sort: recordSort(type, page.sortBy),
        direction: page.sortOrder,
      },
    );
  });
}

/** What is asked of the records themselves. */
function ownCriteria(filter: DataRecordFilter): RecordCriterion[] {
  const { memberId, externalId, createdFrom, createdBefore, updatedFrom, updatedBefore } = filter;
  const criteria: RecordCriterion[] = [];
  if (memberId !== undefined) criteria.push({ kind: 'member', memberId });
  if (externalId !== undefined) criteria.push({ kind: 'externalId', externalId });
  if (createdFrom !== undefined || createdBefore !== undefined) {
    criteria.push({ kind: 'times', column: 'createdAt', from: createdFrom, before: createdBefore });
  }
  if (updatedFrom !== undefined || updatedBefore !== undefined) {
    criteria.push({ kind: 'times', column: 'updatedAt', from: updatedFrom, before: updatedBefore });
  }
  return criteria;
}

function tooFar(): InvalidInput {
  const message = `Pages end at ${mostCounted} records: ask for a part, by createdFrom, or for an export.`;
  return InvalidInput.field('/page', message);
}
