import type { MemberFilter } from '../../../../db/people/members.js';
import { plainText } from '../../../../domain/lib/plain-text.js';
import type { ListMembersQuery } from './schemas.js';

type GivenFilters = Omit<ListMembersQuery, 'page' | 'pageSize' | 'sortBy' | 'sortOrder'>;

export function memberFilter(given: GivenFilters): MemberFilter {
  return {
    ...given,
    ...(given.externalId === undefined ? {} : { externalId: plainText(given.externalId) }),
    createdFrom: moment(given.createdFrom),
    createdBefore: moment(given.createdBefore),
    updatedFrom: moment(given.updatedFrom),
    updatedBefore: moment(given.updatedBefore),
  };
}

const moment = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
