import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answer, api, type Schemas } from '../kit/api.js';
import type { PageQuery } from '../kit/paged-rows.js';

export type Template = Schemas['MessageTemplateResponse'];

/** How many templates a request lists. */
export const pageSize = 100;

/** A page of the list, from 1. */
export function templatesPage(uuid: string, search: string | undefined, page: number): PageQuery<Template> {
  return {
    queryKey: [uuid, 'templates', 'page', { search, page }],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/message-templates', {
          params: { path: { workspace_uuid: uuid }, query: { search, page, pageSize } },
          signal,
        }),
      ),
  };
}

export function oneTemplate(uuid: string, id: number) {
  const path = { workspace_uuid: uuid, message_template_id: id };
  return queryOptions({
    queryKey: [uuid, 'templates', 'one', id],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/message-templates/{message_template_id}', { params: { path }, signal }),
      ),
  });
}

/** The templates that have this text, filled for a chat. Until they are read, those of the text before. */
export function templatesForChat(uuid: string, chatId: number, search: string) {
  const query = { chatId, pageSize, ...(search === '' ? {} : { search }) };
  return queryOptions({
    queryKey: [uuid, 'templates', 'chat', chatId, search],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      answer(
        api.GET('/w/{workspace_uuid}/message-templates', {
          params: { path: { workspace_uuid: uuid }, query },
          signal,
        }),
      ),
  });
}
