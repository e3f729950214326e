import Type from 'typebox';
import { organizationRoles } from '../../../../db/identity/organization-members.js';
import {
  longestSlug,
  mostJoinDomains,
  shortestSlug,
  slugPattern,
} from '../../../../domain/identity/organizations/organization-attributes.js';
import { Id, Name, Nullable, OneOf, Timestamp, Uuid } from '../../../http/schemas.js';

const joinDomains = Type.Array(Type.String({ minLength: 3, maxLength: 253 }), {
  maxItems: mostJoinDomains,
  description:
    'Domains of email addresses: who has proved an address of one of them may join. `[]`: only who was invited',
});
const Slug = Type.String({
  minLength: shortestSlug,
  maxLength: longestSlug,
  pattern: slugPattern,
  description: 'Short name of the organization in addresses; words of the service are reserved',
});

export const OrganizationRole = OneOf(organizationRoles, {
  description:
    'owner: changes settings, workspaces and roles. admin: invites, and manages plain members. member: takes part',
});

const WorkspaceOfOrganization = Type.Object(
  { uuid: Uuid, name: Type.String() },
  { $id: 'OrganizationWorkspace' },
);

const Logo = Type.Object({
  workspaceUuid: Type.String({ ...Uuid, description: 'A workspace of the organization' }),
  fileId: Type.Integer({ ...Id, description: 'An image in that workspace, with the access `public`' }),
});

export const OrganizationResponse = Type.Object(
  {
    uuid: Uuid,
    name: Type.String(),
    slug: Type.String(),
    role: Type.Unsafe<(typeof organizationRoles)[number]>({
      ...OrganizationRole,
      description: 'Role of the caller in the organization',
    }),
    joinDomains,
    hasLogo: Type.Boolean({
      description: 'Whether a logo is set; its address is in the public configuration',
    }),
    workspaces: Type.Optional(
      Type.Array(WorkspaceOfOrganization, {
        description: 'Its workspaces; only of one organization, for owners and admins',
      }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'OrganizationResponse' },
);

const attributes = {
  slug: Type.Optional(Slug),
  joinDomains: Type.Optional(joinDomains),
};

export const CreateOrganizationRequest = Type.Object(
  { name: Name(), ...attributes },
  { $id: 'CreateOrganizationRequest' },
);

export const UpdateOrganizationRequest = Type.Object(
  {
    name: Type.Optional(Name()),
    ...attributes,
    logo: Type.Optional(
      Type.Union([Logo, Type.Null()], {
        description: 'A public image of one of its workspaces, shown where people sign in; null: none',
      }),
    ),
  },
  { $id: 'UpdateOrganizationRequest' },
);

export const NullableText = Nullable(Type.String());
