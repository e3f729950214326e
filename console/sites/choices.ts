import { answer, api } from '../kit/api.js';

/** As many as a page of the API can have; a menu of more is none. */
const query = { pageSize: 100 } as const;

/** What a field of a site can name. */
export interface Named {
  id: number;
  name: string;
}

export interface Choices {
  queryKey: readonly string[];
  queryFn(context: { signal: AbortSignal }): Promise<readonly Named[]>;
}

const of = (uuid: string) => ({ path: { workspace_uuid: uuid } });

export const workflowChoices = (uuid: string): Choices => ({
  queryKey: [uuid, 'workflows', 'of-site'],
  queryFn: async ({ signal }) => {
    const params = { ...of(uuid), query: { ...query, archived: false } };
    return (await answer(api.GET('/w/{workspace_uuid}/workflows', { params, signal }))).items;
  },
});

export const assistantChoices = (uuid: string): Choices => ({
  queryKey: [uuid, 'assistants', 'of-site'],
  queryFn: async ({ signal }) => {
    const params = { ...of(uuid), query };
    const { items } = await answer(api.GET('/w/{workspace_uuid}/assistants', { params, signal }));
    return items.map(({ memberId, name }) => ({ id: memberId, name }));
  },
});

export const folderChoices = (uuid: string): Choices => ({
  queryKey: [uuid, 'folders', 'of-site'],
  queryFn: async ({ signal }) => {
    const params = { ...of(uuid), query };
    return (await answer(api.GET('/w/{workspace_uuid}/folders', { params, signal }))).items;
  },
});

/** Roles that people may get by themselves. */
export const roleChoices = (uuid: string): Choices => ({
  queryKey: [uuid, 'member-roles', 'of-site'],
  queryFn: async ({ signal }) => {
    const roles = await answer(api.GET('/w/{workspace_uuid}/member-roles', { params: of(uuid), signal }));
    return roles.filter(({ useAdmin, manageWorkspace }) => !useAdmin && !manageWorkspace);
  },
});
