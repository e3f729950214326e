import type { MemberFilter } from '../../../../db/people/members.js';
import type { ListMembersQuery } from './schemas.js';

type GivenFilters = Omit<ListMembersQuery, 'page' | 'pageSize' | 'sortBy' | 'sortOrder'>;

export function memberFilter({
  createdFrom,
  createdBefore,
  updatedFrom,
  updatedBefore,
  ...filter
}: GivenFilters): MemberFilter {
  return {
    ...filter,
    ...moment('createdFrom', createdFrom),
    ...moment('createdBefore', createdBefore),
    ...moment('updatedFrom', updatedFrom),
    ...moment('updatedBefore', updatedBefore),
  };
}

function moment<Name extends string>(name: Name, text: string | undefined): { [Key in Name]?: Date } {
  return text === undefined ? {} : ({ [name]: new Date(text) } as { [Key in Name]: Date });
}
