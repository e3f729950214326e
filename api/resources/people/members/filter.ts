import type { MemberFilter } from '../../../../db/people/members.js';
import type { ListMembersQuery } from './schemas.js';

type GivenFilters = Omit<ListMembersQuery, 'page' | 'pageSize' | 'sortBy' | 'sortOrder'>;

export function memberFilter(given: GivenFilters): MemberFilter {
  return {
    ...given,
    createdFrom: moment(given.createdFrom),
    createdBefore: moment(given.createdBefore),
    updatedFrom: moment(given.updatedFrom),
    updatedBefore: moment(given.updatedBefore),
  };
}

const moment = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
