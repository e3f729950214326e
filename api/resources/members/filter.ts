import type { MemberFilter } from '../../../db/queries/members.js';
import type { ListMembersQuery } from './schemas.js';

/** What a list of members is filtered by, out of its query. */
export function memberFilter(query: ListMembersQuery): MemberFilter {
  const {
    page: _page,
    pageSize: _size,
    sortBy: _by,
    sortOrder: _order,
    createdFrom,
    createdBefore,
    ...filter
  } = query;
  return {
    ...filter,
    ...(createdFrom === undefined ? {} : { createdFrom: new Date(createdFrom) }),
    ...(createdBefore === undefined ? {} : { createdBefore: new Date(createdBefore) }),
  };
}
