import { createChat } from '../../../domain/chats/create-chat.js';
import { getChat } from '../../../domain/chats/get-chat.js';
import { listChats } from '../../../domain/chats/list-chats.js';
import { updateChat } from '../../../domain/chats/update-chat.js';
import { workspaceMember } from '../../http/access.js';
import { defineRoute } from '../../http/define-route.js';
import { presentPage } from '../../http/paging.js';
import { presentChat } from './presenter.js';
import { ChatPage, ChatResponse, CreateChatRequest, ListChatsQuery, UpdateChatRequest } from './schemas.js';

const readers = workspaceMember({ scope: 'chats:read' });
const writers = workspaceMember({ scope: 'chats:write' });

const list = defineRoute({
  operationId: 'listChats',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats',
  tag: 'Chats',
  summary: 'List chats',
  description:
    "Without the permission chats:read the list holds one's own: those with oneself, created by oneself, or with oneself taking part.",
  access: readers,
  query: ListChatsQuery,
  response: { status: 200, schema: ChatPage },
  handler: async ({ context, query }) => {
    const { page, pageSize, sortBy, sortOrder, ...filter } = query;
    return presentPage(
      query,
      await listChats(context, filter, { page, pageSize, sortBy, sortOrder }),
      presentChat,
    );
  },
});

const create = defineRoute({
  operationId: 'createChat',
  method: 'POST',
  path: '/w/{workspace_uuid}/chats',
  tag: 'Chats',
  summary: 'Create a chat',
  description:
    'With a workflowId its assignment is created as well. An initial message that cannot be sent is told in initialMessageError; the chat exists all the same. A chat with another member needs the permission chats:write.',
  access: writers,
  body: CreateChatRequest,
  response: { status: 201, schema: ChatResponse },
  handler: async ({ context, body }) => presentChat(await createChat(context, body)),
});

const get = defineRoute({
  operationId: 'getChat',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/{chat_id}',
  tag: 'Chats',
  summary: 'Get a chat',
  description: "One's own, or any with the permission chats:read.",
  access: readers,
  response: { status: 200, schema: ChatResponse },
  handler: async ({ context, params }) => presentChat(await getChat(context, params.chat_id)),
});

const update = defineRoute({
  operationId: 'updateChat',
  method: 'PUT',
  path: '/w/{workspace_uuid}/chats/{chat_id}',
  tag: 'Chats',
  summary: 'Change a chat',
  description:
    "One's own, or any with the permission chats:write. Pausing or archiving drops what the agent is about to say; resuming lets it answer what has no answer yet.",
  access: writers,
  body: UpdateChatRequest,
  response: { status: 200, schema: ChatResponse },
  handler: async ({ context, params, body }) => presentChat(await updateChat(context, params.chat_id, body)),
});

export const chatRoutes = [list, create, get, update];
