import Type from 'typebox';
import {
  inviteToOrganization as invite,
  listInvitations as list,
  maxInvitations,
  withdrawInvitation as withdraw,
} from '../../../../domain/identity/organizations/invitations.js';
import { signedInPerson } from '../../../http/access.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { Id, Page, PageQuery, Picked, Timestamp } from '../../../http/schemas.js';
import { OrganizationRole } from '../organizations/schemas.js';

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

const invitations = resource({
  tag: 'Organizations',
  path: '/organizations/{organization_uuid}/invitations',
  read: signedInPerson({ openToProviders: true }),
  write: signedInPerson({ openToProviders: true }),
});

const inviteMember = invitations.update({
  operationId: 'inviteToOrganization',
  audit: ['invitation:created'],
  summary: 'Invite somebody to an organization',
  description: `For owners; admins invite plain members. The account that has proved the address may join within 30 days. Nothing is sent: tell the person. Another invitation of the address is replaced. At most ${maxInvitations} are open.`,
  body: Type.Object(
    {
      email: Type.String({ minLength: 3, maxLength: 254, description: 'Address of the person' }),
      role: Type.Optional(OrganizationRole),
    },
    { $id: 'InviteRequest' },
  ),
  example: { body: { email: 'kim@clinic.example' } },
  response: InvitationResponse,
  errors: { 409: 'The organization has as many open invitations as allowed (`too_many_invitations`).' },
  handler: async ({ context, params, body }) => invite(context, params.organization_uuid, body),
});

const listInvitations = invitations.list({
  operationId: 'listOrganizationInvitations',
  summary: 'List the open invitations of an organization',
  description: 'For its owners and admins.',
  query: PageQuery(['createdAt', 'email'], {}, 'desc'),
  response: Page(InvitationResponse),
  handler: async ({ context, params, query }) =>
    presentPage(query, await list(context, params.organization_uuid, query)),
});

const withdrawInvitation = invitations.remove('/{invitation_id}', {
  operationId: 'withdrawOrganizationInvitation',
  audit: ['invitation:withdrawn'],
  summary: 'Withdraw an invitation',
  description: 'For owners and admins of the organization.',
  example: { once: true },
  handler: async ({ context, params }) => withdraw(context, params.organization_uuid, params.invitation_id),
});

export const invitationRoutes = [inviteMember, listInvitations, withdrawInvitation];
