import { allPages } from '../kit/all-pages.js';
import { answer, api } from '../kit/api.js';

const pageSize = 100;

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
    const { items } = await allPages((page) => {
      const params = { ...of(uuid), query: { page, pageSize, archived: false } };
      return answer(api.GET('/w/{workspace_uuid}/workflows', { params, signal }));
    });
    return items;
  },
});

export const assistantChoices = (uuid: string): Choices => ({
  queryKey: [uuid, 'assistants', 'of-site'],
  queryFn: async ({ signal }) => {
    const { items } = await allPages((page) => {
      const params = { ...of(uuid), query: { page, pageSize } };
      return answer(api.GET('/w/{workspace_uuid}/assistants', { params, signal }));
    });
    return items.map(({ memberId, name }) => ({ id: memberId, name }));
  },
});

export const folderChoices = (uuid: string): Choices => ({
  queryKey: [uuid, 'folders', 'of-site'],
  queryFn: async ({ signal }) => {
    const { items } = await allPages((page) => {
      const params = { ...of(uuid), query: { page, pageSize } };
      return answer(api.GET('/w/{workspace_uuid}/folders', { params, signal }));
    });
    return items;
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
