import Type from 'typebox';
import { oauthScopes } from '../../../../domain/identity/oauth/oauth-scopes.js';
import { Name, Nullable, OneOf, Picked, Timestamp, Uuid } from '../../../http/schemas.js';

const redirectUris = Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description:
    'Where the person is sent back to: compared exactly, except for the port of a loopback address (RFC 8252). All on the web (https), or all of a program on the person’s device (http on the loopback address, or a scheme of its own)',
});

const scopes = Type.Array(OneOf(oauthScopes), {
  minItems: 1,
  maxItems: oauthScopes.length,
  uniqueItems: true,
  description: 'The most that the application may ask for',
});

const serverUrl = Type.String({
  maxLength: 2_000,
  pattern: '^https?://',
  description: 'Where people can read about the application',
});

const application = {
  uuid: Uuid,
  clientId: Type.String({ description: 'Names the application in requests to the authorization server' }),
  name: Type.String(),
  serverUrl: Nullable(serverUrl),
  redirectUris: Type.Array(Type.String(), { description: 'Where people are sent back to' }),
  scopes: Type.Array(Type.String()),
  confidential: Type.Boolean({ description: 'Whether the application has a secret' }),
  secretHint: Nullable(Type.String({ description: 'The last four characters of the secret' })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
};

export const ApplicationResponse = Picked(application, { $id: 'ApplicationResponse' });

export const CreatedApplicationResponse = Picked(
  {
    ...application,
    secret: Nullable(
      Type.String({ description: 'The client secret, shown only this once; null for a public client' }),
    ),
  },
  { $id: 'CreatedApplicationResponse' },
);

export const CreateApplicationRequest = Type.Object(
  {
    name: Name(100),
    serverUrl: Type.Optional(Nullable(serverUrl)),
    redirectUris,
    scopes,
    confidential: Type.Optional(
      Type.Boolean({
        description:
          'Whether the application can keep a secret. Default: true on the web, false for a program on the person’s device',
      }),
    ),
  },
  { $id: 'CreateApplicationRequest' },
);

export const UpdateApplicationRequest = Type.Object(
  {
    name: Type.Optional(Name(100)),
    serverUrl: Type.Optional(Nullable(serverUrl)),
    redirectUris: Type.Optional(redirectUris),
    scopes: Type.Optional(scopes),
  },
  { $id: 'UpdateApplicationRequest' },
);
