import Type from 'typebox';
import {
  inviteToOrganization as invite,
  listInvitations as list,
  mostInvitations,
  withdrawInvitation as withdraw,
} from '../../../../domain/identity/organizations/invitations.js';
import { signedInPerson } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { Id, Page, PageQuery, Picked, Timestamp } from '../../../http/schemas.js';
import { OrganizationRole } from '../organizations/schemas.js';

const tag = 'Organizations';

const InvitationResponse = Picked(
  {
    id: Id,
    email: Type.String({ description: 'Address whose owner may join, in lower case' }),
    role: OrganizationRole,
    createdAt: Timestamp,
    expiresAt: Timestamp,
  },
  { $id: 'InvitationResponse' },
);

const inviteMember = defineRoute({
  operationId: 'inviteToOrganization',
  audit: ['invitation:created'],
  method: 'PUT',
  path: '/organizations/{organization_uuid}/invitations',
  tag,
  summary: 'Invite somebody to an organization',
  description: `For owners; admins invite plain members. The account that has proved the address may join within 30 days. Nothing is sent: tell the person. Another invitation of the address is replaced. At most ${mostInvitations} are open.`,
  access: signedInPerson({ openToProviders: true }),
  body: Type.Object(
    {
      email: Type.String({ minLength: 3, maxLength: 254, description: 'Address of the person' }),
      role: Type.Optional(OrganizationRole),
    },
    { $id: 'InviteRequest' },
  ),
  example: { body: { email: 'kim@clinic.example' } },
  response: { status: 200, schema: InvitationResponse },
  errors: { 409: 'The organization has as many open invitations as allowed (`too_many_invitations`).' },
  handler: async ({ context, params, body }) => invite(context, params.organization_uuid, body),
});

const listInvitations = defineRoute({
  operationId: 'listOrganizationInvitations',
  method: 'GET',
  path: '/organizations/{organization_uuid}/invitations',
  tag,
  summary: 'List the open invitations of an organization',
  description: 'For its owners and admins.',
  access: signedInPerson({ openToProviders: true }),
  query: PageQuery(['createdAt', 'email'], {}, 'desc'),
  response: { status: 200, schema: Page(InvitationResponse) },
  handler: async ({ context, params, query }) =>
    presentPage(query, await list(context, params.organization_uuid, query)),
});

const withdrawInvitation = defineRoute({
  operationId: 'withdrawOrganizationInvitation',
  audit: ['invitation:withdrawn'],
  method: 'DELETE',
  path: '/organizations/{organization_uuid}/invitations/{invitation_id}',
  tag,
  summary: 'Withdraw an invitation',
  description: 'For owners and admins of the organization.',
  access: signedInPerson({ openToProviders: true }),
  example: { once: true },
  response: { status: 204 },
  handler: async ({ context, params }) => withdraw(context, params.organization_uuid, params.invitation_id),
});

export const invitationRoutes = [inviteMember, listInvitations, withdrawInvitation];
