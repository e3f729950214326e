import type { DataTypeRow } from '../../../../db/records/data-types.js';
import type { RecordSearch } from '../../../../db/records/list-data-records.js';
import type { RecordCriterion } from '../../../../db/records/record-criteria.js';
import type { Actor } from '../../../kernel/actor.js';
import { requireRead, visibleRecords } from '../record-access.js';
import { filterCriteria, searchCriteria } from './record-query.js';

/** Conditions of a search; a record has to meet all of them. */
export interface DataRecordFilter {
  memberId?: number | undefined;
  externalId?: string | undefined;
  /** Default: only records that are not retired. */
  retired?: boolean | 'all' | undefined;
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
  updatedFrom?: Date | undefined;
  updatedBefore?: Date | undefined;
  /** `<slug>:<operator>:<value>`, see parse-filter.ts. */
  filters?: readonly string[] | undefined;
  /** Prefixes of words in the record's indexed texts. */
  search?: string | undefined;
}

/**
 * Converts a filter to a search among the records that the actor sees, for lists and exports.
 *
 * @throws Forbidden for another member's records, InvalidInput
 */
export function recordSearch(
  actor: Actor,
  type: DataTypeRow,
  filter: DataRecordFilter,
  defaultRegion: string,
): RecordSearch {
  if (filter.memberId !== undefined) requireRead(actor, type, filter.memberId);
  const { visibleTo } = visibleRecords(actor, type);
  const criteria: RecordCriterion[] = [
    ...(visibleTo === undefined ? [] : [{ kind: 'visibleTo' as const, memberId: visibleTo }]),
    ...ownCriteria(filter),
    ...filterCriteria(type, filter.filters ?? [], defaultRegion),
    ...(filter.search === undefined ? [] : searchCriteria(type, filter.search)),
  ];
  const retired = filter.retired ?? false;
  return { dataTypeId: type.id, states: retired === 'all' ? [false, true] : [retired], criteria };
}

/** Criteria on the record's own attributes. */
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
