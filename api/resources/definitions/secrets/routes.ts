import Type from 'typebox';
import {
  createSecret,
  deleteSecret,
  getSecret,
  listSecrets,
  updateSecret,
} from '../../../../domain/definitions/secrets/secrets.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { CreateSecretRequest, SecretResponse, UpdateSecretRequest } from './schemas.js';

const access = workspaceMember({ scope: 'workspace:write', permission: 'workspace:write' });

const list = defineRoute({
  operationId: 'listSecrets',
  method: 'GET',
  path: '/w/{workspace_uuid}/secrets',
  tag: 'Secrets',
  summary: 'List secrets',
  description: 'All secrets, by name, without their values.',
  access,
  response: { status: 200, schema: Type.Array(SecretResponse) },
  handler: async ({ context }) => listSecrets(context),
});

const create = defineRoute({
  operationId: 'createSecret',
  audit: ['secret:created'],
  method: 'POST',
  path: '/w/{workspace_uuid}/secrets',
  tag: 'Secrets',
  summary: 'Create a secret',
  description:
    'A value that requests of agents (the ability `http_request`) carry in a header. It is stored encrypted and never shown: not to people, not to the model, and where a service echoes it, it is taken out of the answer.',
  access,
  body: CreateSecretRequest,
  example: {
    body: { name: 'calendar_token', value: 'example-token-0001', hosts: ['api.example.com'] },
    once: true,
  },
  response: { status: 201, schema: SecretResponse },
  errors: { 409: 'The workspace has as many secrets as allowed.' },
  handler: async ({ context, services: { encryption }, body }) =>
    createSecret({ ...context, encryption }, body),
});

const get = defineRoute({
  operationId: 'getSecret',
  method: 'GET',
  path: '/w/{workspace_uuid}/secrets/{secret_id}',
  tag: 'Secrets',
  summary: 'Get a secret',
  description: 'Without its value.',
  access,
  response: { status: 200, schema: SecretResponse },
  handler: async ({ context, params }) => getSecret(context, params.secret_id),
});

const update = defineRoute({
  operationId: 'updateSecret',
  audit: ['secret:rotated'],
  method: 'PUT',
  path: '/w/{workspace_uuid}/secrets/{secret_id}',
  tag: 'Secrets',
  summary: 'Give a secret a new value',
  description:
    'Holds from the next request on. `hosts` replaces the whole list, and only together with a value: a value that the caller does not know is never sent to another host.',
  access,
  body: UpdateSecretRequest,
  example: { body: { value: 'example-token-0002' } },
  response: { status: 200, schema: SecretResponse },
  handler: async ({ context, services: { encryption }, params, body }) =>
    updateSecret({ ...context, encryption }, params.secret_id, body),
});

const remove = defineRoute({
  operationId: 'deleteSecret',
  audit: ['secret:deleted'],
  method: 'DELETE',
  path: '/w/{workspace_uuid}/secrets/{secret_id}',
  tag: 'Secrets',
  summary: 'Delete a secret',
  description: 'Requests that need it are not made any more; the agent is told so.',
  access,
  example: { params: { secret_id: demo.secretToDelete }, once: true },
  response: { status: 204 },
  handler: async ({ context, params }) => deleteSecret(context, params.secret_id),
});

export const secretRoutes = [list, create, get, update, remove];
