import Type from 'typebox';
import { findMapping } from '../../../../domain/sites/public/find-mapping.js';
import { readSite } from '../../../../domain/sites/public/read-site.js';
import { signUpToSite } from '../../../../domain/sites/public/sign-up-to-site.js';
import { signedInAccount, signedInPerson } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { Id, OneOf, Uuid } from '../../../http/schemas.js';
import { visitors } from '../access.js';
import { presentSite } from '../sites/presenter.js';
import { SiteResponse } from '../sites/schemas.js';

const get = defineRoute({
  operationId: 'readSite',
  method: 'GET',
  path: '/s/{workspace_uuid}/{site_uuid}',
  tag: 'Sites',
  summary: 'Read a site',
  description:
    'A public site, without signing in; members of the workspace read all its sites. Fields that only the team of the site needs are for roles with a permission for sites. Everything else is 404.',
  access: visitors,
  response: { status: 200, schema: SiteResponse },
  handler: async ({ context, services, params }) =>
    presentSite(services.sites)(await readSite(context, params.site_uuid)),
});

const SiteMappingResponse = Type.Object(
  {
    workspaceUuid: Uuid,
    siteUuid: Type.String({ ...Uuid, description: 'UUID of the site that the domain leads to' }),
  },
  { $id: 'SiteMappingResponse' },
);

const mapping = defineRoute({
  operationId: 'getSiteMapping',
  method: 'GET',
  path: '/s/mapping/{custom_domain}',
  tag: 'Sites',
  summary: 'Find the site of a domain',
  description:
    'The site that exactly this domain leads to. For API keys as well as sessions. Domains that are claimed and not proved, or have lapsed, are 404. An account asks sixty times a minute at most.',
  access: signedInAccount({ scope: 'sites:read', openToProviders: true }),
  params: Type.Object({
    custom_domain: Type.String({
      minLength: 1,
      maxLength: 260,
      description: 'The domain, in Unicode or punycode',
    }),
  }),
  response: { status: 200, schema: SiteMappingResponse },
  errors: {
    429: 'The account has asked for as many domains as allowed. Retry-After says when it may again.',
  },
  handler: async ({ context, params }) => findMapping(context, params.custom_domain),
});

const SiteSignupResponse = Type.Object(
  {
    status: OneOf(['success', 'already_member'], { description: 'Whether the caller became a member now' }),
    message: Type.String({ description: 'The same in words, for people' }),
    memberId: Type.Optional(
      Type.Integer({ ...Id, description: 'Member that the caller is in the workspace' }),
    ),
    roleName: Type.Optional(Type.String({ description: 'Name of the role of the member' })),
    visitorToken: Type.Optional(
      Type.String({
        description:
          'The token that takes the place of the one that was sent: the chat is of the account now. It ends with the session',
      }),
    ),
  },
  { $id: 'SiteSignupResponse' },
);

const SiteSignupRequest = Type.Object(
  {
    visitorToken: Type.Optional(
      Type.String({
        maxLength: 47,
        description:
          'Token of a visitor in the same browser. Its chat becomes that of the account, if the account is no member yet and nothing is known of who the visitor is; otherwise it stays where it is',
      }),
    ),
  },
  { $id: 'SiteSignupRequest' },
);

const messages = {
  success: 'You are a member now.',
  already_member: 'You are a member already.',
} as const;

const signup = defineRoute({
  operationId: 'signUpToSite',
  audit: ['site:signed_up'],
  method: 'POST',
  path: '/s/{workspace_uuid}/{site_uuid}/signup',
  tag: 'Sites',
  summary: 'Sign up through a site',
  description:
    'The account that is signed in becomes a member of the workspace, with the role of the site, if the site is public and allows it. Name and addresses are those of the account; addresses only if they are proved. Needs a session: keys and tokens are no person.',
  access: signedInPerson(),
  body: SiteSignupRequest,
  example: { body: {} },
  response: { status: 200, schema: SiteSignupResponse },
  errors: {
    403: 'Nobody signs up through the site (`signup_closed`), or this is no session (`session_required`).',
    409: 'The role of the site has become an admin role (`signup_role_is_admin`), or the organization accepts nothing but its identity provider (`sso_only`).',
  },
  handler: async ({ context, params, body }) => {
    const { workspace_uuid: workspaceUuid, site_uuid: siteUuid } = params;
    const { status, ...rest } = await signUpToSite(context, { workspaceUuid, siteUuid, ...body });
    return { status, message: messages[status], ...rest };
  },
});

export const publicSiteRoutes = [get, mapping, signup];
