import type { DataRecordFilter } from '../../../../domain/records/data-records/queries/record-search.js';
import type { DataRecordFilters } from './list-schemas.js';

/** Converts the query of a list or an export to a filter. */
export function filterOf(query: DataRecordFilters): Omit<DataRecordFilter, 'retired'> {
  const time = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  return {
    memberId: query.memberId,
    externalId: query.externalId,
    createdFrom: time(query.createdFrom),
    createdBefore: time(query.createdBefore),
    updatedFrom: time(query.updatedFrom),
    updatedBefore: time(query.updatedBefore),
    filters: query.filter,
    search: query.search,
  };
}
