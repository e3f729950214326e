import type { EventFilter } from '../../../../db/events/event-lists.js';
import type { ListEventsQuery } from './schemas.js';

/** Converts a query to the filter of a list of events. */
export function eventFilter(query: ListEventsQuery): EventFilter {
  const { page, pageSize, sortBy, sortOrder, createdFrom, createdBefore, ...filter } = query;
  return {
    ...filter,
    ...(createdFrom === undefined ? {} : { createdFrom: new Date(createdFrom) }),
    ...(createdBefore === undefined ? {} : { createdBefore: new Date(createdBefore) }),
  };
}
