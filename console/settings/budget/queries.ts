import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../../kit/api.js';

export function budgetQuery(uuid: string) {
  return queryOptions({
    queryKey: [uuid, 'credit-budget'],
    // What is used changes without an event.
    staleTime: 0,
    refetchOnWindowFocus: true,
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/credit-budget', { params: { path: { workspace_uuid: uuid } }, signal }),
      ),
  });
}

/** In whose chats most was used in the current month. */
export function usersQuery(uuid: string) {
  return queryOptions({
    queryKey: [uuid, 'credit-budget', 'by-member'],
    staleTime: 0,
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/token-usage/by-member', {
          params: { path: { workspace_uuid: uuid }, query: { pageSize: 10 } },
          signal,
        }),
      ),
  });
}
