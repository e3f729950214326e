import Type from 'typebox';
import { joinOrganization } from '../../../../domain/identity/organizations/join-organization.js';
import { signedInPerson } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { OrgJoinResponse, presentMembership } from '../membership/schemas.js';

const join = defineRoute({
  operationId: 'joinOrganization',
  audit: ['organization_member:added'],
  method: 'POST',
  path: '/o/{org_uuid}/join',
  tag: 'Organizations',
  summary: 'Join an organization',
  description:
    'Begins a session of the caller in the organization: the answer sets its cookie, under a new id each time. It is good together with the session of the account only, and ends with it. Who is no member becomes one if an invitation names the email address that the account has proved, if its domain is one of `joinDomains`, or if the organization lets anyone join (`anyoneMayJoin`).',
  access: signedInPerson(),
  idempotent: false,
  body: Type.Object({}, { $id: 'OrgJoinRequest' }),
  example: { body: {} },
  response: { status: 200, schema: OrgJoinResponse },
  errors: {
    403: 'The account may not join (`join_refused`), the organization is joined by its identity provider only (`sso_required`), the account is disabled there (`member_disabled`), or is not signed in by a session (`session_required`).',
    409: 'The organization has as many members as allowed (`too_many_members`).',
  },
  handler: async ({ context, params, session: browser }) => {
    const joined = await joinOrganization(context, params.org_uuid);
    browser.join(joined.token, joined.seconds);
    return presentMembership(joined);
  },
});

export const joinRoutes = [join];
