import { queryOptions } from '@tanstack/react-query';
import { answer, api } from './api.js';

/** What the service has, with the words for it: resources, permissions, types of events. */
export const registryQuery = queryOptions({
  queryKey: ['registry'],
  queryFn: ({ signal }) => answer(api.GET('/resources/registry', { signal })),
});
