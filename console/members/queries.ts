import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { allPages } from '../kit/all-pages.js';
import { answer, api, type Schemas } from '../kit/api.js';
import type { PageQuery } from '../kit/paged-rows.js';
import { filtersOf, type MembersSearch, sortOf } from './search.js';

export type Member = Schemas['WorkspaceMemberResponse'];
/** A member of the list; it has `lastMessageAt` if it ever wrote, as far as one may know. */
export type ListedMember = Member & { lastMessageAt?: string | undefined };
export type Label = Schemas['MemberLabelResponse'];

/** How often it is looked for what an export or erasure has done, which is no event of the workspace. */
export const followMs = 2_000;

/** How many members a request lists. */
export const pageSize = 50;

/** A page of the people of the workspace, from 1. */
export function membersPage(
  uuid: string,
  search: MembersSearch,
  page: number,
  withLastMessage: boolean,
): PageQuery<ListedMember> {
  const query = { ...filtersOf(search), ...sortOf(search), kind: 'human', page, pageSize } as const;
  const path = { workspace_uuid: uuid };
  return {
    queryKey: [uuid, 'members', query],
    queryFn: async ({ signal }) => {
      const found = await answer(api.GET('/w/{workspace_uuid}/members', { params: { path, query }, signal }));
      if (!withLastMessage || found.items.length === 0) return found;
      const memberId = found.items.map(({ id }) => id);
      const { items } = await answer(
        api.GET('/w/{workspace_uuid}/chats/last-messages', { params: { path, query: { memberId } }, signal }),
      );
      const last = new Map(items.map((one) => [one.memberId, one.at]));
      return { ...found, items: found.items.map((one) => ({ ...one, lastMessageAt: last.get(one.id) })) };
    },
  };
}

export const memberKey = (uuid: string, memberId: number) => [uuid, 'member', memberId];

export function memberQuery(uuid: string, memberId: number) {
  return queryOptions({
    queryKey: memberKey(uuid, memberId),
    queryFn: () =>
      answer(
        api.GET('/w/{workspace_uuid}/members/{member_id}', {
          params: { path: { workspace_uuid: uuid, member_id: memberId } },
        }),
      ),
  });
}

/** The labels that members can have, in order of name. */
export function labelsQuery(uuid: string) {
  const path = { workspace_uuid: uuid };
  const query = { pageSize: 100, sortBy: 'name', sortOrder: 'asc' } as const;
  return queryOptions({
    queryKey: [uuid, 'member-labels'],
    queryFn: ({ signal }) =>
      allPages((page) =>
        answer(
          api.GET('/w/{workspace_uuid}/member-labels', {
            params: { path, query: { ...query, page } },
            signal,
          }),
        ),
      ),
  });
}

export function rolesQuery(uuid: string) {
  return queryOptions({
    queryKey: [uuid, 'member-roles'],
    queryFn: () =>
      answer(api.GET('/w/{workspace_uuid}/member-roles', { params: { path: { workspace_uuid: uuid } } })),
  });
}

export function dataTypesQuery(uuid: string) {
  const path = { workspace_uuid: uuid };
  const query = { pageSize: 100, sortBy: 'name', sortOrder: 'asc' } as const;
  return queryOptions({
    queryKey: [uuid, 'data-types', 'by-name'],
    queryFn: ({ signal }) =>
      allPages((page) =>
        answer(
          api.GET('/w/{workspace_uuid}/data-types', { params: { path, query: { ...query, page } }, signal }),
        ),
      ),
  });
}

/** After a change of members: the lists, and what is shown of each, are read again. */
export async function membersChanged(queries: QueryClient, uuid: string): Promise<void> {
  await Promise.all(['members', 'member'].map((key) => queries.invalidateQueries({ queryKey: [uuid, key] })));
}
