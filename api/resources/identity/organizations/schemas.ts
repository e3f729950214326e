import Type from 'typebox';
import { organizationRoles } from '../../../../db/identity/models/organization-member.js';
import {
  maxJoinDomains,
  maxSlugLength,
  minSlugLength,
  publicPathPattern,
  slugPattern,
} from '../../../../domain/identity/organizations/organization-attributes.js';
import { Id, Name, Nullable, OneOf, Picked, Timestamp, Uuid } from '../../../http/schemas.js';

const joinDomains = Type.Array(Type.String({ minLength: 3, maxLength: 253 }), {
  maxItems: maxJoinDomains,
  description:
    'Domains of email addresses: who has proved an address of one of them may join. `[]`: only who was invited',
});
const anyoneMayJoin = Type.Boolean({
  description:
    'Whether everyone who is signed in may join, as a plain member; not while `ssoOnly` is set. A new organization is closed',
});
const Slug = Type.String({
  minLength: minSlugLength,
  maxLength: maxSlugLength,
  pattern: slugPattern,
  description: 'Short name of the organization in addresses; words of the service are reserved',
});

export const OrganizationRole = OneOf(organizationRoles, {
  description:
    'owner: changes settings, workspaces and roles. admin: invites, and manages plain members. member: takes part',
});

const publicPath = Type.Union(
  [Type.String({ minLength: 8, maxLength: 63, pattern: publicPathPattern }), Type.Null()],
  {
    description:
      'The carrier calls back for the workspaces at `/api/v2/public/{publicPath}/…` instead of `/api/v2/…`; null: at the usual addresses',
  },
);
const ssoOnly = Type.Boolean({
  description:
    'Whether the workspaces are entered by the identity provider only: not by sign-in codes, member tokens, API keys and support access. Needs `publicPath`, and a session by the identity provider',
});

const WorkspaceOfOrganization = Picked({ uuid: Uuid, name: Type.String() }, { $id: 'OrganizationWorkspace' });

const Logo = Type.Object({
  workspaceUuid: Type.String({ ...Uuid, description: 'A workspace of the organization' }),
  fileId: Type.Integer({ ...Id, description: 'An image in that workspace, with the access `public`' }),
});

export const OrganizationResponse = Picked(
  {
    uuid: Uuid,
    name: Type.String(),
    slug: Type.String(),
    role: Type.Union([OneOf(organizationRoles), Type.Null()], {
      description: 'Role of the caller in the organization; null: a superuser who is no member',
    }),
    publicPath,
    ssoOnly,
    joinDomains,
    anyoneMayJoin,
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
    anyoneMayJoin: Type.Optional(anyoneMayJoin),
    publicPath: Type.Optional(publicPath),
    ssoOnly: Type.Optional(ssoOnly),
    logo: Type.Optional(
      Type.Union([Logo, Type.Null()], {
        description: 'A public image of one of its workspaces, shown where people sign in; null: none',
      }),
    ),
  },
  { $id: 'UpdateOrganizationRequest' },
);

export const NullableText = Nullable(Type.String());
