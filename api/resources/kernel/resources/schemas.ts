import Type from 'typebox';
import { Nullable, OneOf } from '../../../http/schemas.js';

export const ResourceMetadataResponse = Type.Object(
  {
    slug: Type.String({ description: 'Short name of the resource, as in paths' }),
    label: Type.String({ description: 'Name of the resource as a heading' }),
    units: Type.Object(
      {
        singular: Type.String({ description: 'What one object is called' }),
        plural: Type.String({ description: 'What several objects are called' }),
      },
      { description: 'How objects of the resource are counted: 1 member, 2 members' },
    ),
    description: Type.String({ description: 'What the resource is, in a sentence or two' }),
    featureFlag: Nullable(
      Type.String({
        description:
          'Feature of the installation that the resource needs (`features`); null: every installation has it',
      }),
    ),
    scope: OneOf(['workspace', 'org', 'any'], {
      description: 'Where its objects are: in a workspace, in an organization, or in neither alone',
    }),
  },
  { $id: 'ResourceMetadataResponse' },
);

const named = (what: string, example: string) => ({
  name: Type.String({ description: `Name of the ${what}, for example ${example}` }),
  description: Type.String({ description: `What the ${what} means` }),
});

export const ResourcesRegistryResponse = Type.Object(
  {
    resources: Type.Array(ResourceMetadataResponse, {
      description: 'The resources, in the order of the reference',
    }),
    features: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the feature, as in `featureFlag`' }),
        enabled: Type.Boolean({ description: 'Whether this installation has it' }),
      }),
      { description: 'Parts of the service that not every installation has' },
    ),
    scopes: Type.Array(Type.Object(named('scope', 'chats:read')), {
      description: 'Scopes that API keys may have',
    }),
    permissions: Type.Array(
      Type.Object({
        ...named('permission', 'chats:read'),
        isAdmin: Type.Boolean({ description: 'Whether a role that has it is an admin role' }),
      }),
      {
        description:
          'Permissions that roles may have. `{data_type_slug}` stands for the slug of a data type of the workspace',
      },
    ),
    eventTypes: Type.Array(
      Type.Object({
        ...named('event type', 'chat:created'),
        example: Type.Record(Type.String(), Type.Unknown(), {
          description: 'A body that receivers get, with ids of nothing that exists',
        }),
      }),
      { description: 'Events that event rules may send' },
    ),
    fieldTypes: Type.Array(
      Type.Object({
        ...named('field type', 'select'),
        label: Type.String({ description: 'Name of the field type for people' }),
        takesOptions: Type.Boolean({ description: 'Whether a field of the type has `options`' }),
        takesPattern: Type.Boolean({ description: 'Whether a field of the type may have a `pattern`' }),
        isBounded: Type.Boolean({ description: 'Whether a field of the type may have `min` and `max`' }),
        canBeIndexed: Type.Boolean({ description: 'Whether lists can be filtered by a field of the type' }),
        canBeUnique: Type.Boolean({ description: 'Whether a field of the type may be `unique`' }),
      }),
      { description: 'Types that fields of data types may have' },
    ),
  },
  { $id: 'ResourcesRegistryResponse' },
);
