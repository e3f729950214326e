import Type from 'typebox';
import { mostAllowedOrigins } from '../../../../domain/identity/workspaces/update-workspace.js';
import { Id, Name, Timestamp, Uuid } from '../../../http/schemas.js';

export const WorkspaceResponse = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    slug: Type.String(),
    defaultRegion: Type.String(),
    locale: Type.String(),
    timezone: Type.String(),
    allowedOrigins: Type.Array(Type.String(), {
      description: 'Origins whose pages may call the workspace with a token',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'WorkspaceResponse' },
);

const optional = {
  slug: Type.Optional(Type.String({ minLength: 1, maxLength: 63, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' })),
  defaultRegion: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 2,
      pattern: '^[A-Z]{2}$',
      description: 'Country of phone numbers without a country code (ISO 3166 alpha-2)',
    }),
  ),
  locale: Type.Optional(Type.String({ minLength: 2, maxLength: 35 })),
  timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
};

export const CreateWorkspaceRequest = Type.Object(
  { name: Name(), ...optional },
  { $id: 'CreateWorkspaceRequest' },
);

export const UpdateWorkspaceRequest = Type.Object(
  {
    name: Type.Optional(Name()),
    ...optional,
    allowedOrigins: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
        maxItems: mostAllowedOrigins,
        description:
          'Exact origins (scheme, host and port, as browsers send them): https, and http for localhost outside of production',
      }),
    ),
  },
  { $id: 'UpdateWorkspaceRequest' },
);
