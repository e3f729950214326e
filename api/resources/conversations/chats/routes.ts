import Type from 'typebox';
import { countDailyChats } from '../../../../domain/conversations/chats/count-daily-chats.js';
import { createChat } from '../../../../domain/conversations/chats/create-chat.js';
import { getChat, prefetchChat } from '../../../../domain/conversations/chats/get-chat.js';
import { listChats } from '../../../../domain/conversations/chats/list-chats.js';
import { listChatsToAnswer } from '../../../../domain/conversations/chats/list-chats-to-answer.js';
import { listToolCallNames } from '../../../../domain/conversations/chats/list-tool-call-names.js';
import { openDirectChat } from '../../../../domain/conversations/chats/open-direct-chat.js';
import { updateChat } from '../../../../domain/conversations/chats/update-chat.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { presentChat } from './presenter.js';
import {
  ChatPage,
  ChatResponse,
  ChatsToAnswerQuery,
  CreateChatRequest,
  DailyChatsQuery,
  DailyChatsResponse,
  DirectChatRequest,
  ListChatsQuery,
  UpdateChatRequest,
} from './schemas.js';

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
    'With a workflowId its assignment is created as well. An initial message that cannot be sent is told in initialMessageError; the chat exists all the same. Messages are sent after the answer, so a refusal by the carrier shows in that field when the chat is read later. A chat with another member needs the permission chats:write. A new SMS chat takes the replies of the member on its phone number; an older one there whose assignment is active calls a person.',
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
  asks: (tx, { params }) => prefetchChat(tx, params.chat_id),
  handler: async ({ context, params, asked }) => presentChat(await getChat(context, params.chat_id, asked)),
});

const update = defineRoute({
  operationId: 'updateChat',
  method: 'PUT',
  path: '/w/{workspace_uuid}/chats/{chat_id}',
  tag: 'Chats',
  summary: 'Change a chat',
  description: `One's own, or any with the permission chats:write, which muted and labelIds need in any case.

| Change | The agent | The assignment | needsResponse |
|---|---|---|---|
| pause | is silent; what it is writing is dropped | goes on with its waits and messages | set if the member waits for an answer |
| resume | answers what is new, once | a handoff is over | cleared |
| archive | is silent; what it is writing is dropped | rests: no wait is over, nothing is sent | stays |
| unarchive | answers what is new, once | goes on; what was due meanwhile comes now | cleared if the agent answers |
| a message of the member | answers it; an archived chat is opened again | goes on | set if no agent answers |
| mute, unmute, label | goes on | goes on | stays |

What was said before a change is delivered. A change to what already is changes nothing. Who paused the chat may resume it;
what another person, a takeover or a handoff paused is resumed with the permission chats:write. The chat of a member who was
deleted is paused, \`member_deleted\`, and stays so.`,
  access: writers,
  body: UpdateChatRequest,
  response: { status: 200, schema: ChatResponse },
  errors: { 409: 'The member of the chat was deleted (`member_deleted`).' },
  handler: async ({ context, params, body }) => presentChat(await updateChat(context, params.chat_id, body)),
});

const direct = defineRoute({
  operationId: 'openDirectChat',
  method: 'POST',
  path: '/w/{workspace_uuid}/chats/dm',
  tag: 'Chats',
  summary: 'Find or create a direct chat',
  description:
    'The one web chat of oneself and another member. With an agent anybody may have it; with a person it needs the permission dm:write.',
  access: workspaceMember({}),
  body: DirectChatRequest,
  response: { status: 201, schema: ChatResponse, description: 'The chat, found or created.' },
  handler: async ({ context, body }) => presentChat(await openDirectChat(context, body)),
});

const toAnswer = defineRoute({
  operationId: 'listChatsThatNeedResponse',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/needs-response',
  tag: 'Chats',
  summary: 'List chats in which a person has to answer',
  description:
    "Who has waited longest comes first, unless told otherwise. Archived and muted chats are left out. Without the permission chats:read the list holds one's own.",
  access: readers,
  query: ChatsToAnswerQuery,
  response: { status: 200, schema: ChatPage },
  handler: async ({ context, query }) => {
    const { page, pageSize, sortBy, sortOrder, ...filter } = query;
    const found = await listChatsToAnswer(context, filter, { page, pageSize, sortBy, sortOrder });
    return presentPage(query, found, presentChat);
  },
});

const daily = defineRoute({
  operationId: 'countDailyChats',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/stats/daily-creation',
  tag: 'Chats',
  summary: 'Count the chats created on each day',
  description:
    "From the first to the last day, both included: the 30 days up to today unless told, 366 at most. Without the permission chats:read one's own are counted.",
  access: readers,
  query: DailyChatsQuery,
  response: { status: 200, schema: DailyChatsResponse },
  handler: async ({ context, query: { from, to, ...filter } }) =>
    countDailyChats(context, filter, { from, to }),
});

const toolCallNames = defineRoute({
  operationId: 'listToolCallNames',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/tool-call-names',
  tag: 'Chats',
  summary: 'List the names of tools that were called in chats',
  description: "Each once, in order. Without the permission chats:read those called in one's own.",
  access: readers,
  response: { status: 200, schema: Type.Array(Type.String()) },
  handler: async ({ context }) => listToolCallNames(context),
});

export const chatRoutes = [list, create, get, update, direct, toAnswer, daily, toolCallNames];
