import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schemas } from '../../kit/api.js';

export type Secret = Schemas['SecretResponse'];

/** The secrets of the workspace by name; the API gives no value of one. */
export function secretsQuery(uuid: string) {
  return queryOptions({
    queryKey: [uuid, 'secrets'],
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/secrets', { params: { path: { workspace_uuid: uuid } }, signal })),
  });
}
