import { createChatLabel } from '../../../../domain/conversations/chat-labels/create-chat-label.js';
import { deleteChatLabel } from '../../../../domain/conversations/chat-labels/delete-chat-label.js';
import { getChatLabel } from '../../../../domain/conversations/chat-labels/get-chat-label.js';
import { listChatLabels } from '../../../../domain/conversations/chat-labels/list-chat-labels.js';
import { updateChatLabel } from '../../../../domain/conversations/chat-labels/update-chat-label.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { presentChatLabel } from './presenter.js';
import {
  ChatLabelPage,
  ChatLabelResponse,
  CreateChatLabelRequest,
  ListChatLabelsQuery,
  UpdateChatLabelRequest,
} from './schemas.js';

const readers = workspaceMember({ scope: 'chats:read' });
const writers = workspaceMember({ scope: 'workspace:write', permission: 'workspace:write' });

const list = defineRoute({
  operationId: 'listChatLabels',
  method: 'GET',
  path: '/w/{workspace_uuid}/chat-labels',
  tag: 'Chat labels',
  summary: 'List chat labels',
  access: readers,
  query: ListChatLabelsQuery,
  response: { status: 200, schema: ChatLabelPage },
  handler: async ({ context, query }) =>
    presentPage(query, await listChatLabels(context, query), presentChatLabel),
});

const create = defineRoute({
  operationId: 'createChatLabel',
  method: 'POST',
  path: '/w/{workspace_uuid}/chat-labels',
  tag: 'Chat labels',
  summary: 'Create a chat label',
  description: 'To assign labels to a chat, set labelIds in Change a chat.',
  access: writers,
  body: CreateChatLabelRequest,
  response: { status: 201, schema: ChatLabelResponse },
  handler: async ({ context, body }) => presentChatLabel(await createChatLabel(context, body)),
});

const get = defineRoute({
  operationId: 'getChatLabel',
  method: 'GET',
  path: '/w/{workspace_uuid}/chat-labels/{chat_label_id}',
  tag: 'Chat labels',
  summary: 'Get a chat label',
  access: readers,
  response: { status: 200, schema: ChatLabelResponse },
  handler: async ({ context, params }) => presentChatLabel(await getChatLabel(context, params.chat_label_id)),
});

const update = defineRoute({
  operationId: 'updateChatLabel',
  method: 'PUT',
  path: '/w/{workspace_uuid}/chat-labels/{chat_label_id}',
  tag: 'Chat labels',
  summary: 'Change a chat label',
  description: 'The change applies to all chats with the label.',
  access: writers,
  body: UpdateChatLabelRequest,
  response: { status: 200, schema: ChatLabelResponse },
  handler: async ({ context, params, body }) =>
    presentChatLabel(await updateChatLabel(context, params.chat_label_id, body)),
});

const remove = defineRoute({
  operationId: 'deleteChatLabel',
  method: 'DELETE',
  path: '/w/{workspace_uuid}/chat-labels/{chat_label_id}',
  tag: 'Chat labels',
  summary: 'Delete a chat label',
  description: 'The label is removed from all chats.',
  access: writers,
  response: { status: 204 },
  handler: async ({ context, params }) => deleteChatLabel(context, params.chat_label_id),
});

export const chatLabelRoutes = [list, create, get, update, remove];
