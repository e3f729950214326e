import { createApiKey as create } from '../../../../domain/identity/api-keys/create-api-key.js';
import { listApiKeys as list, requireApiKey } from '../../../../domain/identity/api-keys/own-keys.js';
import { revokeApiKey } from '../../../../domain/identity/api-keys/revoke-api-key.js';
import { rotateApiKey as rotate } from '../../../../domain/identity/api-keys/rotate-api-key.js';
import { updateApiKey as update } from '../../../../domain/identity/api-keys/update-api-key.js';
import { signedInAccount } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { Page, PageQuery } from '../../../http/schemas.js';
import {
  ApiKeyResponse,
  CreateApiKeyRequest,
  CreatedApiKeyResponse,
  RotateApiKeyRequest,
  UpdateApiKeyRequest,
} from './schemas.js';

const apiKeys = resource({
  tag: 'API keys',
  path: '/account/api-keys',
  read: signedInAccount({ scope: 'account:read' }),
  write: signedInAccount({ scope: 'keys:write' }),
});

const createApiKey = apiKeys.create({
  operationId: 'createApiKey',
  audit: ['api_key:created'],
  summary: 'Create an API key',
  description:
    'The answer contains the secret, only this once. A key cannot have scopes that the credential lacks. A key created with another key expires no later than that key, and is revoked with it. Without `expiresAt`, a key is valid for a year.',
  body: CreateApiKeyRequest,
  example: { body: { name: 'Reporting', scopes: ['members:read', 'chats:read'] } },
  response: CreatedApiKeyResponse,
  secretAnswer: true,
  errors: { 409: 'The account has 100 keys, or the workspace 500 (`too_many_api_keys`).' },
  handler: async ({ context, body }) => {
    const { key, secret } = await create(context, body);
    return { ...key, secret };
  },
});

const listApiKeys = apiKeys.list({
  operationId: 'listApiKeys',
  summary: 'List API keys',
  description: 'Revoked and expired keys are listed as well.',
  query: PageQuery(['createdAt', 'name'], {}, 'desc'),
  response: Page(ApiKeyResponse),
  handler: async ({ context, query }) => presentPage(query, await list(context, query)),
});

const getApiKey = apiKeys.get('/{api_key_id}', {
  operationId: 'getApiKey',
  summary: 'Get an API key',
  response: ApiKeyResponse,
  handler: async ({ context, params }) => requireApiKey(context, params.api_key_id),
});

const updateApiKey = apiKeys.update('/{api_key_id}', {
  operationId: 'updateApiKey',
  audit: ['api_key:updated'],
  summary: 'Change an API key',
  description:
    'Omitted fields keep their values. Scopes can only be removed. Keys created with this key lose them as well, and expire no later than it does. A key can only change itself and the keys created with it.',
  body: UpdateApiKeyRequest,
  example: { params: { api_key_id: demo.apiKeyId }, body: { name: 'Reporting, read only' } },
  response: ApiKeyResponse,
  errors: { 409: 'The key was revoked or has expired (`api_key_ended`).' },
  handler: async ({ context, params, body }) => update(context, params.api_key_id, body),
});

const rotateApiKey = apiKeys.create('/{api_key_id}/rotate', {
  operationId: 'rotateApiKey',
  audit: ['api_key:rotated'],
  summary: 'Rotate an API key',
  description:
    'The answer is a new key with the same rights and the same expiry, with its secret, only this once. The old key stays valid for `overlapSeconds`. Keys created with the old key remain valid and then belong to the new one; to stop a leaked key, revoke it instead. If a key rotates itself, it remains the parent of the new key, which is revoked with it.',
  body: RotateApiKeyRequest,
  example: { params: { api_key_id: demo.apiKeyToRotate }, body: { overlapSeconds: 604_800 } },
  response: CreatedApiKeyResponse,
  secretAnswer: true,
  errors: {
    409: 'The key was revoked or has expired (`api_key_ended`), or the account has 100 keys (`too_many_api_keys`).',
  },
  handler: async ({ context, params, body }) => {
    const { key, secret } = await rotate(context, params.api_key_id, body.overlapSeconds ?? 86_400);
    return { ...key, secret };
  },
});

const deleteApiKey = apiKeys.remove('/{api_key_id}', {
  operationId: 'deleteApiKey',
  audit: ['api_key:revoked'],
  summary: 'Revoke an API key',
  description:
    'The key is refused from now on, as are all keys created with it, directly or indirectly. They remain listed, with the time of revocation. A key can only revoke itself and the keys created with it.',
  example: { params: { api_key_id: demo.apiKeyToRevoke } },
  handler: async ({ context, params }) => revokeApiKey(context, params.api_key_id),
});

export const apiKeyRoutes = [createApiKey, listApiKeys, getApiKey, updateApiKey, rotateApiKey, deleteApiKey];
