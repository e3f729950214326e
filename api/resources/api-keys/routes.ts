import { createApiKey as create } from '../../../domain/api-keys/create-api-key.js';
import { listApiKeys as list } from '../../../domain/api-keys/list-api-keys.js';
import { renameApiKey } from '../../../domain/api-keys/rename-api-key.js';
import { requireApiKey } from '../../../domain/api-keys/require-api-key.js';
import { revokeApiKey } from '../../../domain/api-keys/revoke-api-key.js';
import { signedInAccount } from '../../http/access.js';
import { defineRoute } from '../../http/define-route.js';
import { presentPage } from '../../http/paging.js';
import { Page, PageQuery } from '../../http/schemas.js';
import { presentApiKey } from './presenter.js';
import {
  ApiKeyResponse,
  CreateApiKeyRequest,
  CreatedApiKeyResponse,
  UpdateApiKeyRequest,
} from './schemas.js';

const tag = 'API keys';

const createApiKey = defineRoute({
  operationId: 'createApiKey',
  method: 'POST',
  path: '/account/api-keys',
  tag,
  summary: 'Create an API key',
  description:
    'The answer holds the secret, this once. A key cannot be given scopes that the credential lacks.',
  access: signedInAccount({ scope: 'account:write' }),
  body: CreateApiKeyRequest,
  response: { status: 201, schema: CreatedApiKeyResponse },
  secretAnswer: true,
  handler: async ({ context, body }) => {
    const { key, secret } = await create(context, body);
    return { ...presentApiKey(key), secret };
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
  handler: async ({ context, query }) => presentPage(query, await list(context, query), presentApiKey),
});

const getApiKey = defineRoute({
  operationId: 'getApiKey',
  method: 'GET',
  path: '/account/api-keys/{api_key_id}',
  tag,
  summary: 'Get an API key',
  access: signedInAccount({ scope: 'account:read' }),
  response: { status: 200, schema: ApiKeyResponse },
  handler: async ({ context, params }) => presentApiKey(await requireApiKey(context, params.api_key_id)),
});

const updateApiKey = defineRoute({
  operationId: 'updateApiKey',
  method: 'PUT',
  path: '/account/api-keys/{api_key_id}',
  tag,
  summary: 'Rename an API key',
  access: signedInAccount({ scope: 'account:write' }),
  body: UpdateApiKeyRequest,
  response: { status: 200, schema: ApiKeyResponse },
  handler: async ({ context, params, body }) =>
    presentApiKey(await renameApiKey(context, params.api_key_id, body.name)),
});

const deleteApiKey = defineRoute({
  operationId: 'deleteApiKey',
  method: 'DELETE',
  path: '/account/api-keys/{api_key_id}',
  tag,
  summary: 'Revoke an API key',
  description: 'The key is refused from now on; it stays listed, with the time it was revoked.',
  access: signedInAccount({ scope: 'account:write' }),
  response: { status: 204 },
  handler: async ({ context, params }) => revokeApiKey(context, params.api_key_id),
});

export const apiKeyRoutes = [createApiKey, listApiKeys, getApiKey, updateApiKey, deleteApiKey];
