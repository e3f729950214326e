import {
  createMessageTemplate,
  deleteMessageTemplate,
  getMessageTemplate,
  listMessageTemplates,
  updateMessageTemplate,
} from '../../../../domain/conversations/message-templates/message-templates.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import {
  CreateMessageTemplateRequest,
  ListMessageTemplatesQuery,
  MessageTemplatePage,
  MessageTemplateResponse,
  UpdateMessageTemplateRequest,
} from './schemas.js';

const templates = resource({
  tag: 'Message templates',
  path: '/w/{workspace_uuid}/message-templates',
  read: workspaceMember({ scope: 'chats:write', permission: 'chats:write' }),
  write: workspaceMember({ scope: 'workspace:write', permission: 'workspace:write' }),
});
const unrecorded = { not: 'they are sent only by colleagues, in their own answers' };

const list = templates.list({
  operationId: 'listMessageTemplates',
  summary: 'List message templates',
  description: 'With chatId, each has the text for that chat, to be put into an answer.',
  query: ListMessageTemplatesQuery,
  example: { query: { search: 'hours', chatId: demo.chatId } },
  response: MessageTemplatePage,
  handler: async ({ context, query }) => presentPage(query, await listMessageTemplates(context, query)),
});

const create = templates.create({
  operationId: 'createMessageTemplate',
  audit: unrecorded,
  summary: 'Create a message template',
  body: CreateMessageTemplateRequest,
  example: {
    body: { name: 'Parking', shortcut: 'parking', text: 'You can park behind the house.' },
    once: true,
  },
  response: MessageTemplateResponse,
  errors: { 409: 'The workspace has as many message templates as allowed.' },
  handler: async ({ context, body }) => createMessageTemplate(context, body),
});

const get = templates.get('/{message_template_id}', {
  operationId: 'getMessageTemplate',
  summary: 'Get a message template',
  response: MessageTemplateResponse,
  handler: async ({ context, params }) => getMessageTemplate(context, params.message_template_id),
});

const update = templates.update('/{message_template_id}', {
  operationId: 'updateMessageTemplate',
  audit: unrecorded,
  summary: 'Change a message template',
  body: UpdateMessageTemplateRequest,
  example: { body: { name: 'When we are open' } },
  response: MessageTemplateResponse,
  handler: async ({ context, params, body }) =>
    updateMessageTemplate(context, params.message_template_id, body),
});

const remove = templates.remove('/{message_template_id}', {
  operationId: 'deleteMessageTemplate',
  audit: unrecorded,
  summary: 'Delete a message template',
  description: 'Messages that were written with it stay as they are.',
  example: { params: { message_template_id: demo.messageTemplateToDelete }, once: true },
  handler: async ({ context, params }) => deleteMessageTemplate(context, params.message_template_id),
});

export const messageTemplateRoutes = [list, create, get, update, remove];
