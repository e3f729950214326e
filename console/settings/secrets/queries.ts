import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schemas } from '../../kit/api.js';
import { changedByOthers } from '../../kit/changed-by-others.js';

export type Secret = Schemas['SecretResponse'];

/** The workflows in use whose requests carry a secret. */
export function usesQuery(uuid: string, secretId: number) {
  const path = { workspace_uuid: uuid, secret_id: secretId };
  return queryOptions({
    // Others publish workflows meanwhile.
    ...changedByOthers,
    // Not among the secrets: it is still shown when these are read again after the deletion.
    queryKey: [uuid, 'secret-uses', secretId],
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/secrets/{secret_id}', { params: { path }, signal })),
    select: ({ workflows = [] }) => workflows,
  });
}

/** The secrets of the workspace by name; the API gives no value of one. */
export function secretsQuery(uuid: string) {
  return queryOptions({
    ...changedByOthers,
    queryKey: [uuid, 'secrets'],
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/secrets', { params: { path: { workspace_uuid: uuid } }, signal })),
  });
}
