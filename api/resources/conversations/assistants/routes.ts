import { createAssistant } from '../../../../domain/conversations/assistants/create-assistant.js';
import { deleteAssistant } from '../../../../domain/conversations/assistants/delete-assistant.js';
import { getAssistant, listAssistants } from '../../../../domain/conversations/assistants/read-assistants.js';
import { updateAssistant } from '../../../../domain/conversations/assistants/update-assistant.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { presentAssistant } from './presenter.js';
import {
  AssistantPage,
  BaseAssistantResponse,
  CreateAssistantRequest,
  ListAssistantsQuery,
  UpdateAssistantRequest,
} from './schemas.js';

const readers = workspaceMember({ scope: 'assistants:read' });
const writers = workspaceMember({ scope: 'assistants:write', permission: 'assistants:write' });

const list = defineRoute({
  operationId: 'listAssistants',
  method: 'GET',
  path: '/w/{workspace_uuid}/assistants',
  tag: 'Assistants',
  summary: 'List assistants',
  access: readers,
  query: ListAssistantsQuery,
  response: { status: 200, schema: AssistantPage },
  handler: async ({ context, query }) =>
    presentPage(query, await listAssistants(context, query), (row) => presentAssistant(row, context.actor)),
});

const create = defineRoute({
  operationId: 'createAssistant',
  method: 'POST',
  path: '/w/{workspace_uuid}/assistants',
  tag: 'Assistants',
  summary: 'Create an assistant',
  description: 'Creates a member of kind assistant and its configuration.',
  access: writers,
  body: CreateAssistantRequest,
  example: {
    body: {
      name: 'Reminder assistant',
      instructions: 'You remind members of their visits, in short sentences.',
    },
  },
  response: { status: 201, schema: BaseAssistantResponse },
  handler: async ({ context, body }) => presentAssistant(await createAssistant(context, body), context.actor),
});

const get = defineRoute({
  operationId: 'getAssistant',
  method: 'GET',
  path: '/w/{workspace_uuid}/assistants/{assistant_id}',
  tag: 'Assistants',
  summary: 'Get an assistant',
  access: readers,
  response: { status: 200, schema: BaseAssistantResponse },
  handler: async ({ context, params }) =>
    presentAssistant(await getAssistant(context, params.assistant_id), context.actor),
});

const update = defineRoute({
  operationId: 'updateAssistant',
  method: 'PUT',
  path: '/w/{workspace_uuid}/assistants/{assistant_id}',
  tag: 'Assistants',
  summary: 'Change an assistant',
  description: 'Omitted fields keep their values; a configuration is replaced as a whole.',
  access: writers,
  body: UpdateAssistantRequest,
  example: { body: { instructions: 'You answer questions about opening hours.' } },
  response: { status: 200, schema: BaseAssistantResponse },
  handler: async ({ context, params, body }) =>
    presentAssistant(await updateAssistant(context, params.assistant_id, body), context.actor),
});

const remove = defineRoute({
  operationId: 'deleteAssistant',
  method: 'DELETE',
  path: '/w/{workspace_uuid}/assistants/{assistant_id}',
  tag: 'Assistants',
  summary: 'Delete an assistant',
  description: 'The assistant stops answering; its messages remain.',
  access: writers,
  example: { params: { assistant_id: demo.assistantToDelete }, once: true },
  response: { status: 204 },
  errors: { 409: 'A workflow uses the assistant.' },
  handler: async ({ context, params }) => deleteAssistant(context, params.assistant_id),
});

export const assistantRoutes = [list, create, get, update, remove];
