import Type from 'typebox';
import { allScopes } from '../../../domain/scopes.js';
import { Id, Nullable, OneOf, Timestamp, Uuid } from '../../http/schemas.js';

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
const Scopes = Type.Array(OneOf(allScopes), { minItems: 1, maxItems: allScopes.length, uniqueItems: true });

const apiKey = {
  id: Id,
  uuid: Uuid,
  name: Type.String(),
  prefix: Type.String({ description: 'The first eight characters after `wes_`' }),
  scopes: Type.Array(Type.String()),
  workspaceId: Nullable(Id),
  expiresAt: Nullable(Timestamp),
  lastUsedAt: Nullable(Timestamp),
  revokedAt: Nullable(Timestamp),
  createdAt: Timestamp,
};

export const ApiKeyResponse = Type.Object(apiKey, { $id: 'ApiKeyResponse' });

export const CreatedApiKeyResponse = Type.Object(
  { ...apiKey, secret: Type.String({ description: 'The whole key. It is shown this once.' }) },
  { $id: 'CreatedApiKeyResponse' },
);

export const CreateApiKeyRequest = Type.Object(
  {
    name: Name,
    scopes: Scopes,
    expiresAt: Type.Optional(Nullable(Timestamp)),
    workspaceId: Type.Optional(Nullable(Id)),
  },
  { $id: 'CreateApiKeyRequest' },
);

export const UpdateApiKeyRequest = Type.Object({ name: Name }, { $id: 'UpdateApiKeyRequest' });
