import { queryOptions } from '@tanstack/react-query';
import { allPages } from '../kit/all-pages.js';
import { answer, api, isGone, type Schemas } from '../kit/api.js';
import { changedByOthers } from '../kit/changed-by-others.js';
import type { PageQuery } from '../kit/paged-rows.js';

export type Organization = Schemas['OrganizationResponse'];
export type OrganizationMember = Schemas['OrganizationMemberResponse'];
export type Invitation = Schemas['InvitationResponse'];
export type Provider = Schemas['IdentityProviderResponse'];
export type Role = OrganizationMember['role'];

export const pageSize = 50;
/** As many as a page of the API can have. */
const many = 100;

const pathOf = (uuid: string) => ({ path: { organization_uuid: uuid } });

/** Who is signed in, if anybody is. */
export const accountQuery = queryOptions({
  ...changedByOthers,
  queryKey: ['account'],
  queryFn: ({ signal }) => answer(api.GET('/account', { signal })),
});

export const organizationsQuery = queryOptions({
  ...changedByOthers,
  queryKey: ['organizations'],
  queryFn: ({ signal }) => {
    const query = { pageSize: many, sortBy: 'name', sortOrder: 'asc' } as const;
    return allPages((page) =>
      answer(api.GET('/organizations', { params: { query: { ...query, page } }, signal })),
    );
  },
});

export function organizationQuery(uuid: string) {
  return queryOptions({
    ...changedByOthers,
    queryKey: [uuid, 'organization'],
    queryFn: ({ signal }) =>
      answer(api.GET('/organizations/{organization_uuid}', { params: pathOf(uuid), signal })),
  });
}

/** What everybody may know of an organization. */
export function publicQuery(uuid: string) {
  return queryOptions({
    queryKey: [uuid, 'config'],
    queryFn: ({ signal }) => answer(api.GET('/o/{org}/config', { params: { path: { org: uuid } }, signal })),
  });
}

export function membersPage(uuid: string, page: number): PageQuery<OrganizationMember> {
  const params = { ...pathOf(uuid), query: { page, pageSize, sortBy: 'name' } as const };
  return {
    ...changedByOthers,
    queryKey: [uuid, 'members', page],
    queryFn: ({ signal }) =>
      answer(api.GET('/organizations/{organization_uuid}/organization-members', { params, signal })),
  };
}

/** All members, by whose names acts are told. */
export function membersQuery(uuid: string) {
  return queryOptions({
    queryKey: [uuid, 'members', 'all'],
    queryFn: ({ signal }) =>
      allPages((page) => {
        const params = { ...pathOf(uuid), query: { page, pageSize: many, sortBy: 'name' } as const };
        return answer(api.GET('/organizations/{organization_uuid}/organization-members', { params, signal }));
      }),
  });
}

export function invitationsQuery(uuid: string) {
  return queryOptions({
    ...changedByOthers,
    queryKey: [uuid, 'invitations'],
    queryFn: ({ signal }) =>
      allPages((page) => {
        const params = { ...pathOf(uuid), query: { page, pageSize: many } };
        return answer(api.GET('/organizations/{organization_uuid}/invitations', { params, signal }));
      }),
  });
}

/** The identity provider; null: there is none. */
export function providerQuery(uuid: string) {
  return queryOptions({
    ...changedByOthers,
    queryKey: [uuid, 'sso'],
    queryFn: ({ signal }) =>
      answer<Provider | null>(
        api.GET('/organizations/{organization_uuid}/sso', { params: pathOf(uuid), signal }),
      ).catch((error: unknown) => {
        if (isGone(error)) return null;
        throw error;
      }),
  });
}

/** The workspaces of who is signed in, of which one can be put into the organization. */
export const ownWorkspacesQuery = queryOptions({
  ...changedByOthers,
  queryKey: ['workspaces', 'by-name'],
  queryFn: ({ signal }) => {
    const query = { pageSize: many, sortBy: 'name', sortOrder: 'asc' } as const;
    return allPages((page) =>
      answer(api.GET('/workspaces', { params: { query: { ...query, page } }, signal })),
    );
  },
});
