import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../../kit/api.js';
import type { PageQuery } from '../../kit/paged-rows.js';
import type { Member } from '../../members/queries.js';
import type { PeopleSearch } from './search.js';

export const pageSize = 50;
/** The most roles that a list is filtered by. */
export const mostRoles = 50;

/** A page of the people who have one of these roles, from 1. */
export function peoplePage(
  uuid: string,
  { search, role }: PeopleSearch,
  roleIds: readonly number[],
  page: number,
): PageQuery<Member> {
  const memberRoleId = role === undefined ? roleIds.slice(0, mostRoles) : [role];
  const query = { search, memberRoleId, kind: 'human', page, pageSize, sortBy: 'name' } as const;
  return {
    queryKey: [uuid, 'members', 'colleagues', query],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/members', {
          params: { path: { workspace_uuid: uuid }, query: { ...query, sortOrder: 'asc' } },
          signal,
        }),
      ),
  };
}

const newest = { pageSize: 100 } as const;
const pathOf = (uuid: string, memberId: number) => ({ workspace_uuid: uuid, member_id: memberId });

/** What lets a member in, beside codes: sessions that tokens began, and tokens that nobody has used. */
export function accessQuery(uuid: string, memberId: number) {
  const params = { path: pathOf(uuid, memberId), query: newest };
  return queryOptions({
    queryKey: [uuid, 'member', memberId, 'access'],
    queryFn: async ({ signal }) => {
      const [sessions, tokens] = await Promise.all([
        answer(api.GET('/w/{workspace_uuid}/members/{member_id}/sessions', { params, signal })),
        answer(api.GET('/w/{workspace_uuid}/members/{member_id}/tokens', { params, signal })),
      ]);
      return { sessions, tokens };
    },
  });
}
