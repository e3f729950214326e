import { createApiKey as create } from '../../../../domain/identity/api-keys/create-api-key.js';
import { listApiKeys as list, requireApiKey } from '../../../../domain/identity/api-keys/own-keys.js';
import { revokeApiKey } from '../../../../domain/identity/api-keys/revoke-api-key.js';
import { rotateApiKey as rotate } from '../../../../domain/identity/api-keys/rotate-api-key.js';
import { updateApiKey as update } from '../../../../domain/identity/api-keys/update-api-key.js';
import { signedInAccount } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { Page, PageQuery } from '../../../http/schemas.js';
import {
  ApiKeyResponse,
  CreateApiKeyRequest,
  CreatedApiKeyResponse,
  RotateApiKeyRequest,
  UpdateApiKeyRequest,
} from './schemas.js';

const tag = 'API keys';
const writers = signedInAccount({ scope: 'keys:write' });

const createApiKey = defineRoute({
  operationId: 'createApiKey',
  audit: ['api_key:created'],
  method: 'POST',
  path: '/account/api-keys',
  tag,
  summary: 'Create an API key',
  description:
    'The answer contains the secret, only this once. A key cannot have scopes that the credential lacks. A key created with another key expires no later than that key, and is revoked with it. Without `expiresAt`, a key is valid for a year.',
  access: writers,
  body: CreateApiKeyRequest,
  example: { body: { name: 'Reporting', scopes: ['members:read', 'chats:read'] } },
  response: { status: 201, schema: CreatedApiKeyResponse },
  secretAnswer: true,
  errors: { 409: 'The account has 100 keys, or the workspace 500 (`too_many_api_keys`).' },
  handler: async ({ context, body }) => {
    const { key, secret } = await create(context, body);
    return { ...key, secret };
  },
});

const listApiKeys = defineRoute({
  operationId: 'listApiKeys',
  method: 'GET',
  path: '/account/api-keys',
  tag,
  summary: 'List API keys',
  description: 'Revoked and expired keys are listed as well.',
  access: signedInAccount({ scope: 'account:read' }),
  query: PageQuery(['createdAt', 'name'], {}, 'desc'),
  response: { status: 200, schema: Page(ApiKeyResponse) },
  handler: async ({ context, query }) => presentPage(query, await list(context, query)),
});

const getApiKey = defineRoute({
  operationId: 'getApiKey',
  method: 'GET',
  path: '/account/api-keys/{api_key_id}',
  tag,
  summary: 'Get an API key',
  access: signedInAccount({ scope: 'account:read' }),
  response: { status: 200, schema: ApiKeyResponse },
  handler: async ({ context, params }) => requireApiKey(context, params.api_key_id),
});

const updateApiKey = defineRoute({
  operationId: 'updateApiKey',
  audit: ['api_key:updated'],
  method: 'PUT',
  path: '/account/api-keys/{api_key_id}',
  tag,
  summary: 'Change an API key',
  description:
    'Omitted fields keep their values. Scopes can only be removed. Keys created with this key lose them as well, and expire no later than it does. A key can only change itself and the keys created with it.',
  access: writers,
  body: UpdateApiKeyRequest,
  example: { params: { api_key_id: demo.apiKeyId }, body: { name: 'Reporting, read only' } },
  response: { status: 200, schema: ApiKeyResponse },
  errors: { 409: 'The key was revoked or has expired (`api_key_ended`).' },
  handler: async ({ context, params, body }) => update(context, params.api_key_id, body),
});

const rotateApiKey = defineRoute({
  operationId: 'rotateApiKey',
  audit: ['api_key:rotated'],
  method: 'POST',
  path: '/account/api-keys/{api_key_id}/rotate',
  tag,
  summary: 'Rotate an API key',
  description:
    'The answer is a new key with the same rights and the same expiry, with its secret, only this once. The old key stays valid for `overlapSeconds`. Keys created with the old key remain valid and then belong to the new one; to stop a leaked key, revoke it instead. If a key rotates itself, it remains the parent of the new key, which is revoked with it.',
  access: writers,
  body: RotateApiKeyRequest,
  example: { params: { api_key_id: demo.apiKeyToRotate }, body: { overlapSeconds: 604_800 } },
  response: { status: 201, schema: CreatedApiKeyResponse },
  secretAnswer: true,
  errors: {
    409: 'The key was revoked or has expired (`api_key_ended`), or the account has 100 keys (`too_many_api_keys`).',
  },
  handler: async ({ context, params, body }) => {
    const { key, secret } = await rotate(context, params.api_key_id, body.overlapSeconds ?? 86_400);
    return { ...key, secret };
  },
});

const deleteApiKey = defineRoute({
  operationId: 'deleteApiKey',
  audit: ['api_key:revoked'],
  method: 'DELETE',
  path: '/account/api-keys/{api_key_id}',
  tag,
  summary: 'Revoke an API key',
  description:
    'The key is refused from now on, as are all keys created with it, directly or indirectly. They remain listed, with the time of revocation. A key can only revoke itself and the keys created with it.',
  access: writers,
  example: { params: { api_key_id: demo.apiKeyToRevoke } },
  response: { status: 204 },
  handler: async ({ context, params }) => revokeApiKey(context, params.api_key_id),
});

export const apiKeyRoutes = [createApiKey, listApiKeys, getApiKey, updateApiKey, rotateApiKey, deleteApiKey];
