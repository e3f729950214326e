import Type from 'typebox';
import { allScopes } from '../../../../domain/kernel/scopes.js';
import { Id, Name, Nullable, OneOf, Picked, TimeInput, Timestamp, Uuid } from '../../../http/schemas.js';

const Scopes = Type.Array(OneOf(allScopes), { minItems: 1, maxItems: allScopes.length, uniqueItems: true });

const apiKey = {
  id: Id,
  uuid: Uuid,
  name: Type.String(),
  prefix: Type.String({ description: 'The first eight characters after `wes_`' }),
  scopes: Type.Array(Type.String()),
  workspaceId: Nullable(Id),
  parentId: Nullable(
    Type.Integer({ ...Id, description: 'The key that created this one, and is revoked together with it' }),
  ),
  expiresAt: Nullable(Timestamp),
  lastUsedAt: Nullable(Timestamp),
  revokedAt: Nullable(Timestamp),
  createdAt: Timestamp,
};

export const ApiKeyResponse = Picked(apiKey, { $id: 'ApiKeyResponse' });

export const CreatedApiKeyResponse = Picked(
  { ...apiKey, secret: Type.String({ description: 'The whole key, shown only this once.' }) },
  { $id: 'CreatedApiKeyResponse' },
);

export const CreateApiKeyRequest = Type.Object(
  {
    name: Name(),
    scopes: Scopes,
    expiresAt: Type.Optional(
      Nullable(
        Type.String({
          ...TimeInput,
          description:
            'Within five years, and no later than the key that creates it. Default: after a year, or with that key if it expires sooner',
        }),
      ),
    ),
    workspaceId: Type.Optional(Nullable(Id)),
  },
  { $id: 'CreateApiKeyRequest' },
);

export const UpdateApiKeyRequest = Type.Object(
  {
    name: Type.Optional(Name()),
    scopes: Type.Optional(Scopes),
    expiresAt: Type.Optional(Type.String({ ...TimeInput, description: 'In the future, within five years' })),
  },
  { $id: 'UpdateApiKeyRequest' },
);

export const RotateApiKeyRequest = Type.Object(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        description: 'How long the old key stays valid: a day by default, a week at most',
      }),
    ),
  },
  { $id: 'RotateApiKeyRequest' },
);
