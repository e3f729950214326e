import Type from 'typebox';
import { membershipStatuses } from '../../../../db/identity/models/organization-member.js';
import {
  listOrganizationMembers as list,
  removeOrganizationMember as remove,
  updateOrganizationMember as update,
} from '../../../../domain/identity/organizations/organization-members.js';
import { signedInPerson } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { Id, OneOf, Page, PageQuery, Picked, Timestamp } from '../../../http/schemas.js';
import { OrganizationRole } from '../organizations/schemas.js';

const Status = OneOf(membershipStatuses, {
  description: 'A disabled member has no sessions in the organization, and begins none',
});

const OrganizationMemberResponse = Picked(
  {
    id: Id,
    role: OrganizationRole,
    status: Status,
    name: Type.Union([Type.String(), Type.Null()], {
      description: 'Name of the person when it joined; null: none was known',
    }),
    email: Type.Union([Type.String(), Type.Null()], {
      description: 'Address by which the person joined; null: it has proved none to the service',
    }),
    joinedBy: OneOf(['founding', 'invitation', 'domain', 'open', 'sso'], {
      description:
        'founding: created the organization. domain: by a domain that may join. open: as anyone may join',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'OrganizationMemberResponse' },
);

const organizationMembers = resource({
  tag: 'Organizations',
  path: '/organizations/{organization_uuid}/organization-members',
  read: signedInPerson({ openToProviders: true }),
  write: signedInPerson({ openToProviders: true }),
});

const listMembers = organizationMembers.list({
  operationId: 'listOrganizationMembers',
  summary: 'List the members of an organization',
  description: 'For its owners and admins.',
  query: PageQuery(['createdAt', 'name']),
  response: Page(OrganizationMemberResponse),
  handler: async ({ context, params, query }) =>
    presentPage(query, await list(context, params.organization_uuid, query)),
});

const updateMember = organizationMembers.update('/{organization_member_id}', {
  operationId: 'updateOrganizationMember',
  audit: ['organization_member:updated'],
  summary: 'Change the role or the status of a member',
  description:
    'For owners; admins disable and enable plain members. Disabling a member ends its sessions in the organization, not its access to workspaces.',
  body: Type.Object(
    { role: Type.Optional(OrganizationRole), status: Type.Optional(Status) },
    { $id: 'UpdateOrganizationMemberRequest' },
  ),
  example: { body: { role: 'admin' } },
  response: OrganizationMemberResponse,
  errors: { 409: 'The organization would be left without an owner (`last_owner`).' },
  handler: async ({ context, params, body }) =>
    update(context, params.organization_uuid, params.organization_member_id, body),
});

const removeMember = organizationMembers.remove('/{organization_member_id}', {
  operationId: 'removeOrganizationMember',
  audit: ['organization_member:removed'],
  summary: 'Remove a member from an organization',
  description: 'For owners; admins remove plain members. Every member may leave by itself.',
  example: { params: { organization_member_id: demo.organizationMemberToRemove }, once: true },
  errors: { 409: 'The organization would be left without an owner (`last_owner`).' },
  handler: async ({ context, params }) =>
    remove(context, params.organization_uuid, params.organization_member_id),
});

export const organizationMemberRoutes = [listMembers, updateMember, removeMember];
