import { queryOptions } from '@tanstack/react-query';
import { allPages } from '../../kit/all-pages.js';
import { answer, api, type Schemas } from '../../kit/api.js';
import { changedByOthers } from '../../kit/changed-by-others.js';
import type { PageQuery } from '../../kit/paged-rows.js';

export type PhoneNumber = Schemas['PhoneNumberResponse'];
export type Inbox = Schemas['InboxResponse'];

/** What a number can be used for. */
export const uses = ['smsEnabled', 'mmsEnabled', 'voiceEnabled'] as const;

/** How many numbers or inboxes a request lists. */
export const pageSize = 100;

export function phoneNumbersPage(uuid: string, page: number): PageQuery<PhoneNumber> {
  const query = { page, pageSize, sortBy: 'name', sortOrder: 'asc' } as const;
  return {
    ...changedByOthers,
    queryKey: [uuid, 'phone-numbers', 'page', page],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/phone-numbers', {
          params: { path: { workspace_uuid: uuid }, query },
          signal,
        }),
      ),
  };
}

/** The numbers to choose from, in order of name. */
export function phoneNumbersQuery(uuid: string) {
  const query = { pageSize, sortBy: 'name', sortOrder: 'asc' } as const;
  return queryOptions({
    queryKey: [uuid, 'phone-numbers', 'names'],
    queryFn: ({ signal }) =>
      allPages((page) => {
        const params = { path: { workspace_uuid: uuid }, query: { ...query, page } };
        return answer(api.GET('/w/{workspace_uuid}/phone-numbers', { params, signal }));
      }),
  });
}

/** The numbers that the workspace may get. */
export function availableNumbersQuery(uuid: string) {
  const query = { pageSize, sortBy: 'number', sortOrder: 'asc' } as const;
  return queryOptions({
    ...changedByOthers,
    queryKey: [uuid, 'phone-numbers', 'available'],
    queryFn: ({ signal }) =>
      allPages((page) => {
        const params = { path: { workspace_uuid: uuid }, query: { ...query, page } };
        return answer(api.GET('/w/{workspace_uuid}/available-phone-numbers', { params, signal }));
      }),
  });
}

export function phoneNumberQuery(uuid: string, id: number) {
  return queryOptions({
    ...changedByOthers,
    queryKey: [uuid, 'phone-numbers', id],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/phone-numbers/{phone_number_id}', {
          params: { path: { workspace_uuid: uuid, phone_number_id: id } },
          signal,
        }),
      ),
  });
}

export function inboxesPage(uuid: string, page: number): PageQuery<Inbox> {
  const query = { page, pageSize, sortBy: 'address', sortOrder: 'asc' } as const;
  return {
    ...changedByOthers,
    queryKey: [uuid, 'inboxes', 'page', page],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/inboxes', { params: { path: { workspace_uuid: uuid }, query }, signal }),
      ),
  };
}

export function inboxQuery(uuid: string, id: number) {
  return queryOptions({
    ...changedByOthers,
    queryKey: [uuid, 'inboxes', id],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/inboxes/{inbox_id}', {
          params: { path: { workspace_uuid: uuid, inbox_id: id } },
          signal,
        }),
      ),
  });
}

/** The assistants to choose from, in order of name. */
export function assistantsQuery(uuid: string) {
  const query = { pageSize, sortBy: 'name', sortOrder: 'asc' } as const;
  return queryOptions({
    queryKey: [uuid, 'assistants', 'names'],
    queryFn: ({ signal }) =>
      allPages((page) => {
        const params = { path: { workspace_uuid: uuid }, query: { ...query, page } };
        return answer(api.GET('/w/{workspace_uuid}/assistants', { params, signal }));
      }),
  });
}
