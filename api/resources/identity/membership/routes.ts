import { getOrganizationMembership } from '../../../../domain/identity/organizations/join-organization.js';
import { signedInAccount } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { MembershipResponse, presentMembership } from './schemas.js';

const getMembership = defineRoute({
  operationId: 'getOrganizationMembership',
  method: 'GET',
  path: '/o/{org_uuid}/membership',
  tag: 'Organizations',
  summary: "Get the caller's membership of an organization",
  description: '404: the caller is no member, or there is no such organization.',
  access: signedInAccount({ scope: 'account:read', openToProviders: true }),
  response: { status: 200, schema: MembershipResponse },
  handler: async ({ context, params }) =>
    presentMembership(await getOrganizationMembership(context, params.org_uuid)),
});

export const membershipRoutes = [getMembership];
