import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { deleteAssistant } from '../../../../domain/conversations/assistants/delete-assistant.js';
import { getAssistant, listAssistants } from '../../../../domain/conversations/assistants/read-assistants.js';
import { updateAssistant } from '../../../../domain/conversations/assistants/update-assistant.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { presentAssistant } from './presenter.js';
import {
  AssistantPage,
  BaseAssistantResponse,
  CreateAssistantRequest,
  ListAssistantsQuery,
  UpdateAssistantRequest,
} from './schemas.js';

const assistants = resource({
  tag: 'Assistants',
  path: '/w/{workspace_uuid}/assistants',
  read: workspaceMember({ scope: 'assistants:read' }),
  write: workspaceMember({ scope: 'assistants:write', permission: 'assistants:write' }),
});

const list = assistants.list({
  operationId: 'listAssistants',
  summary: 'List assistants',
  query: ListAssistantsQuery,
  response: AssistantPage,
  handler: async ({ context, query }) =>
    presentPage(query, await listAssistants(context, query), (row) => presentAssistant(row, context.actor)),
});

const create = assistants.create({
  operationId: 'createAssistant',
  summary: 'Create an assistant',
  description: 'Creates a member of kind assistant and its configuration.',
  body: CreateAssistantRequest,
  example: {
    body: {
      name: 'Reminder assistant',
      instructions: 'You remind members of their visits, in short sentences.',
    },
  },
  response: BaseAssistantResponse,
  handler: async ({ context, body }) => presentAssistant(await createAssistant(context, body), context.actor),
});

const get = assistants.get('/{assistant_id}', {
  operationId: 'getAssistant',
  summary: 'Get an assistant',
  response: BaseAssistantResponse,
  handler: async ({ context, params }) =>
    presentAssistant(await getAssistant(context, params.assistant_id), context.actor),
});

const update = assistants.update('/{assistant_id}', {
  operationId: 'updateAssistant',
  summary: 'Change an assistant',
  description: 'Omitted fields keep their values; a configuration is replaced as a whole.',
  body: UpdateAssistantRequest,
  example: { body: { instructions: 'You answer questions about opening hours.' } },
  response: BaseAssistantResponse,
  handler: async ({ context, params, body }) =>
    presentAssistant(await updateAssistant(context, params.assistant_id, body), context.actor),
});

const remove = assistants.remove('/{assistant_id}', {
  operationId: 'deleteAssistant',
  summary: 'Delete an assistant',
  description: 'The assistant stops answering; its messages remain.',
  example: { params: { assistant_id: demo.assistantToDelete }, once: true },
  errors: { 409: 'A workflow uses the assistant.' },
  handler: async ({ context, params }) => deleteAssistant(context, params.assistant_id),
});

export const assistantRoutes = [list, create, get, update, remove];
