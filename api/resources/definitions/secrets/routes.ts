import Type from 'typebox';
import {
  createSecret,
  deleteSecret,
  getSecret,
  listSecrets,
  updateSecret,
} from '../../../../domain/definitions/secrets/secrets.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { resource } from '../../../http/resource.js';
import { CreateSecretRequest, SecretResponse, UpdateSecretRequest } from './schemas.js';

const access = workspaceMember({ scope: 'workspace:write', permission: 'workspace:write' });

const secrets = resource({
  tag: 'Secrets',
  path: '/w/{workspace_uuid}/secrets',
  read: access,
  write: access,
});

const list = secrets.list({
  operationId: 'listSecrets',
  summary: 'List secrets',
  description: 'All secrets, by name, without their values.',
  response: Type.Array(SecretResponse),
  handler: async ({ context }) => listSecrets(context),
});

const create = secrets.create({
  operationId: 'createSecret',
  audit: ['secret:created'],
  summary: 'Create a secret',
  description:
    'A value that requests of agents (the ability `http_request`) carry in a header. It is stored encrypted and never shown: not to people, not to the model, and where a service echoes it, it is taken out of the answer.',
  body: CreateSecretRequest,
  example: {
    body: { name: 'calendar_token', value: 'example-token-0001', hosts: ['api.example.com'] },
    once: true,
  },
  response: SecretResponse,
  errors: { 409: 'The workspace has as many secrets as allowed.' },
  handler: async ({ context, services: { encryption }, body }) =>
    createSecret({ ...context, encryption }, body),
});

const get = secrets.get('/{secret_id}', {
  operationId: 'getSecret',
  summary: 'Get a secret',
  description: 'Without its value, with the workflows whose requests carry it.',
  response: SecretResponse,
  handler: async ({ context, params }) => getSecret(context, params.secret_id),
});

const update = secrets.update('/{secret_id}', {
  operationId: 'updateSecret',
  audit: ['secret:rotated'],
  summary: 'Give a secret a new value',
  description:
    'Holds from the next request on. `hosts` replaces the whole list, and only together with a value: a value that the caller does not know is never sent to another host.',
  body: UpdateSecretRequest,
  example: { body: { value: 'example-token-0002' } },
  response: SecretResponse,
  handler: async ({ context, services: { encryption }, params, body }) =>
    updateSecret({ ...context, encryption }, params.secret_id, body),
});

const remove = secrets.remove('/{secret_id}', {
  operationId: 'deleteSecret',
  audit: ['secret:deleted'],
  summary: 'Delete a secret',
  description: 'Requests that need it are not made any more; the agent is told so.',
  example: { params: { secret_id: demo.secretToDelete }, once: true },
  handler: async ({ context, params }) => deleteSecret(context, params.secret_id),
});

export const secretRoutes = [list, create, get, update, remove];
