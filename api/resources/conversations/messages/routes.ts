import Type from 'typebox';
import { listAssignmentMessages } from '../../../../domain/assignments/assignments.js';
import {
  listMessages,
  type MessagesWanted,
  prefetchMessages,
} from '../../../../domain/conversations/chats/list-messages.js';
import { listToolCallMessages } from '../../../../domain/conversations/chats/list-tool-call-messages.js';
import { postMessage } from '../../../../domain/conversations/chats/post-message.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { outgoingRoutes } from './outgoing-routes.js';
import { presentMessage, presentMessages } from './presenter.js';
import {
  ListAssignmentMessagesQuery,
  ListMessagesQuery,
  ListToolCallMessagesQuery,
  MessageList,
  MessagePage,
  OpenAIMessageResponse,
  SendMessageRequest,
  ToolCallParams,
} from './schemas.js';

const list = defineRoute({
  operationId: 'listChatMessages',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/{chat_id}/messages',
  tag: 'Chats',
  summary: 'List the messages of a chat',
  description:
    "Newest first. Returns an array or, with total_count, an object with page numbers. An answer is cut at 2 MiB: continue at offset plus the number of messages received. For the caller's own chats, or any with the permission chats:read.",
  access: workspaceMember({ scope: 'chats:read' }),
  query: ListMessagesQuery,
  response: { status: 200, schema: Type.Union([MessageList, MessagePage]) },
  prefetch: (tx, { params, query }) => prefetchMessages(tx, wanted(params.chat_id, query)),
  handler: async ({ context, params, query, prefetched }) =>
    presentMessages(await listMessages(context, wanted(params.chat_id, query), prefetched), query),
});

function wanted(chatId: number, { limit, offset, total_count }: ListMessagesQuery): MessagesWanted {
  return { chatId, limit, offset, count: total_count };
}

const send = defineRoute({
  operationId: 'sendChatMessage',
  audit: { not: 'the role of a message is no role of a member' },
  method: 'POST',
  path: '/w/{workspace_uuid}/chats/{chat_id}/messages',
  tag: 'Chats',
  summary: 'Send a user message',
  description:
    "Stores a user message, which the agent answers. If the caller participates in the chat, it is the caller's own message; otherwise it is relayed for the chat's member, which needs the permission chats:write. The message is not sent to the member: to answer the member, use sendAssistantMessage. Files are those that Upload a file has made.",
  access: workspaceMember({ scope: 'chats:write' }),
  body: SendMessageRequest,
  example: { body: { content: 'Is this the right leaflet?', files: [demo.fileId] } },
  response: { status: 201, schema: OpenAIMessageResponse },
  handler: async ({ context, params, body: { role: _, ...body } }) =>
    presentMessage(await postMessage(context, { chatId: params.chat_id, ...body })),
});

const listOfAssignment = defineRoute({
  operationId: 'listAssignmentMessages',
  method: 'GET',
  path: '/w/{workspace_uuid}/assignments/{assignment_id}/messages',
  tag: 'Assignments',
  summary: "List the messages of an assignment's chat",
  description:
    "The whole transcript, newest first, up to 1,000 messages or 2 MiB. total_count shows whether there are more; continue at offset plus the number of messages received. For the caller's own assignments, or any with the permission assignments:read.",
  access: workspaceMember({ scope: 'assignments:read' }),
  query: ListAssignmentMessagesQuery,
  response: { status: 200, schema: Type.Union([MessageList, MessagePage]) },
  handler: async ({ context, params, query }) => {
    const { total_count: count, ...part } = query;
    const wanted = { assignmentId: params.assignment_id, count, ...part };
    return presentMessages(await listAssignmentMessages(context, wanted), query);
  },
});

const listOfToolCall = defineRoute({
  operationId: 'listToolCallMessages',
  method: 'GET',
  path: '/w/{workspace_uuid}/chats/{chat_id}/tool-calls/{call_id}/messages',
  tag: 'Chats',
  summary: 'List the messages of a tool call',
  description:
    "The result of the call and what was said in its inner conversation, newest first. An answer is cut at 2 MiB: continue at offset plus the number of messages received. Results are notes, which the member of the chat and participants with the role user see only with the permission chats:read. For the caller's own chats, or any with that permission.",
  access: workspaceMember({ scope: 'chats:read' }),
  params: ToolCallParams,
  query: ListToolCallMessagesQuery,
  example: { params: { chat_id: demo.chatWithoutWorkflow, call_id: demo.toolCallId } },
  response: { status: 200, schema: MessageList },
  handler: async ({ context, params, query }) => {
    const wanted = { chatId: params.chat_id, toolCallId: params.call_id, ...query };
    return (await listToolCallMessages(context, wanted)).map(presentMessage);
  },
});

export const messageRoutes = [list, send, listOfAssignment, listOfToolCall, ...outgoingRoutes];
