import { infiniteQueryOptions } from '@tanstack/react-query';
import { answer, api } from '../../kit/api.js';
import { changedByOthers } from '../../kit/changed-by-others.js';
import { nextPage } from '../../kit/more.js';
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

const pathOf = (uuid: string, memberId: number) => ({ workspace_uuid: uuid, member_id: memberId });

/** The key of what lets a member in, beside codes, after that of the workspace. */
export const accessKey = (memberId: number) => ['member', memberId, 'access'];

/** The sessions that tokens began, the last used first. */
export function sessionsOf(uuid: string, memberId: number) {
  return infiniteQueryOptions({
    ...changedByOthers,
    queryKey: [uuid, ...accessKey(memberId), 'sessions'],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) => {
      const params = { path: pathOf(uuid, memberId), query: { page, pageSize } };
      return answer(api.GET('/w/{workspace_uuid}/members/{member_id}/sessions', { params, signal }));
    },
    getNextPageParam: nextPage,
  });
}

/** The tokens that nobody has used, the newest first. */
export function tokensOf(uuid: string, memberId: number) {
  return infiniteQueryOptions({
    ...changedByOthers,
    queryKey: [uuid, ...accessKey(memberId), 'tokens'],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) => {
      const params = { path: pathOf(uuid, memberId), query: { page, pageSize } };
      return answer(api.GET('/w/{workspace_uuid}/members/{member_id}/tokens', { params, signal }));
    },
    getNextPageParam: nextPage,
  });
}
