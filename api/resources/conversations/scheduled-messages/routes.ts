import { lockChatForChange } from '../../../../domain/conversations/chats/lock-chat-for-change.js';
import { cancelScheduledMessage } from '../../../../domain/conversations/scheduled-messages/cancel-scheduled-message.js';
import {
  getScheduledMessage,
  listScheduledMessages,
} from '../../../../domain/conversations/scheduled-messages/read-scheduled-messages.js';
import { updateScheduledMessage } from '../../../../domain/conversations/scheduled-messages/update-scheduled-message.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { presentScheduledMessage } from './presenter.js';
import {
  ListScheduledMessagesQuery,
  ScheduledMessagePage,
  ScheduledMessageResponse,
  UpdateScheduledMessageRequest,
} from './schemas.js';

const readers = workspaceMember({ scope: 'chats:read', permission: 'chats:read' });
const settled = {
  409: 'The message was sent or cancelled, or could not be sent (`scheduled_message_settled`).',
};
const example = { chat_id: demo.chatWithoutWorkflow, scheduled_message_id: demo.scheduledMessageId };

const scheduledMessages = resource({
  tag: 'Chats',
  path: '/w/{workspace_uuid}/chats/{chat_id}/scheduled-messages',
  read: readers,
  write: workspaceMember({ scope: 'chats:admin', permission: 'chats:admin' }),
});

const list = scheduledMessages.list({
  operationId: 'listScheduledMessages',
  summary: 'List the scheduled messages of a chat',
  description:
    'The messages that colleagues have written to be sent later. Only pending ones by default; soonest first. The member of the chat does not see them without the permission chats:read.',
  query: ListScheduledMessagesQuery,
  example: { params: { chat_id: demo.chatWithoutWorkflow } },
  response: ScheduledMessagePage,
  handler: async ({ context, params, query }) => {
    const { status: states = ['pending'], ...page } = query;
    const found = await listScheduledMessages(context, { chatId: params.chat_id, states }, page);
    return presentPage(query, found, presentScheduledMessage);
  },
});

const listAll = defineRoute({
  operationId: 'listAllScheduledMessages',
  method: 'GET',
  path: '/w/{workspace_uuid}/scheduled-messages',
  tag: 'Chats',
  summary: 'List the scheduled messages of the workspace',
  description:
    'As in a chat, of all chats. With status failed, it lists those that could not be sent at their time.',
  access: readers,
  query: ListScheduledMessagesQuery,
  response: { status: 200, schema: ScheduledMessagePage },
  handler: async ({ context, query }) => {
    const { status: states = ['pending'], ...page } = query;
    return presentPage(
      query,
      await listScheduledMessages(context, { states }, page),
      presentScheduledMessage,
    );
  },
});

const get = scheduledMessages.get('/{scheduled_message_id}', {
  operationId: 'getScheduledMessage',
  summary: 'Get a scheduled message',
  description: 'In whatever state it is, until the chat is forgotten or its member erased.',
  example: { params: example },
  response: ScheduledMessageResponse,
  etag: true,
  handler: async ({ context, params }) =>
    presentScheduledMessage(await getScheduledMessage(context, params.chat_id, params.scheduled_message_id)),
});

const update = scheduledMessages.update('/{scheduled_message_id}', {
  operationId: 'updateScheduledMessage',
  summary: 'Change a scheduled message',
  description:
    'Its text, files or time, until it is sent. Who changes the text or the files becomes its author: it is sent in that name, and only if that colleague may send as the assistant then.',
  body: UpdateScheduledMessageRequest,
  example: { params: example, body: { message: 'Please come a little earlier tomorrow.' } },
  response: ScheduledMessageResponse,
  ifMatch: { current: get, lock: ({ context, params }) => lockChatForChange(context, params.chat_id) },
  errors: settled,
  handler: async ({ context, params, body }) =>
    presentScheduledMessage(
      await updateScheduledMessage(context, params.chat_id, params.scheduled_message_id, body),
    ),
});

const cancel = scheduledMessages.remove('/{scheduled_message_id}', {
  operationId: 'cancelScheduledMessage',
  summary: 'Cancel a scheduled message',
  description:
    'It is not sent. It is either cancelled or sent, also when both happen at once. Cancelling a cancelled message changes nothing.',
  example: { params: { ...example, scheduled_message_id: demo.scheduledMessageToCancel } },
  errors: settled,
  handler: async ({ context, params }) =>
    cancelScheduledMessage(context, params.chat_id, params.scheduled_message_id),
});

export const scheduledMessageRoutes = [list, listAll, get, update, cancel];
