import Type from 'typebox';
import { mostAllowedOrigins } from '../../../../domain/identity/workspaces/update-workspace.js';
import { retentionDays } from '../../../../domain/kernel/retention-slice.js';
import { Id, Name, Nullable, Timestamp, Uuid } from '../../../http/schemas.js';

const ofChats =
  'After so many days in which nothing happens in a chat, what is in it is deleted; null: never';
const ofFiles = 'After so many days without a change, private files are deleted; null: never';
const RetentionDays = (description: string) =>
  Type.Integer({ minimum: retentionDays.least, maximum: retentionDays.most, description });

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
    chatRetentionDays: Nullable(RetentionDays(ofChats)),
    fileRetentionDays: Nullable(RetentionDays(ofFiles)),
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
    chatRetentionDays: Type.Optional(Nullable(RetentionDays(ofChats))),
    fileRetentionDays: Type.Optional(Nullable(RetentionDays(ofFiles))),
  },
  { $id: 'UpdateWorkspaceRequest' },
);
