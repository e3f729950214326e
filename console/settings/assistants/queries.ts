import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schemas } from '../../kit/api.js';
import type { PageQuery } from '../../kit/paged-rows.js';

export type Assistant = Schemas['BaseAssistantResponse'];
export type Model = Schemas['AiModelResponse'];

export const pageSize = 50;

export function assistantsPage(uuid: string, page: number): PageQuery<Assistant> {
  const query = { page, pageSize, sortBy: 'name', sortOrder: 'asc' } as const;
  const params = { path: { workspace_uuid: uuid }, query };
  return {
    queryKey: [uuid, 'assistants', 'page', page],
    queryFn: ({ signal }) => answer(api.GET('/w/{workspace_uuid}/assistants', { params, signal })),
  };
}

export const pathOf = (uuid: string, assistantId: number) => ({
  workspace_uuid: uuid,
  assistant_id: assistantId,
});

export function assistantQuery(uuid: string, assistantId: number) {
  const params = { path: pathOf(uuid, assistantId) };
  return queryOptions({
    queryKey: [uuid, 'assistants', assistantId],
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/assistants/{assistant_id}', { params, signal })),
  });
}

/** The models and voices that this installation has, the same for all workspaces. */
export const modelsQuery = queryOptions({
  queryKey: ['ai-models'],
  queryFn: async ({ signal }) => {
    const [chat, realtime, voices] = await Promise.all([
      answer(api.GET('/ai-models/chat', { signal })),
      answer(api.GET('/ai-models/realtime', { signal })),
      answer(api.GET('/ai-models/voices', { signal })),
    ]);
    return { chat: chat.items, realtime: realtime.items, voices: voices.items };
  },
});

/** The workflows that name an assistant. */
export function workflowsOf(uuid: string, memberId: number) {
  const query = { assistantMemberId: memberId, pageSize: 100, sortBy: 'name', sortOrder: 'asc' } as const;
  const params = { path: { workspace_uuid: uuid }, query };
  return queryOptions({
    queryKey: [uuid, 'workflows', 'of-assistant', memberId],
    queryFn: ({ signal }) => answer(api.GET('/w/{workspace_uuid}/workflows', { params, signal })),
  });
}
