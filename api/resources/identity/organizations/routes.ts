import type { OrganizationView } from '../../../../domain/identity/organizations/organizations.js';
import {
  createOrganization as create,
  getOrganization as get,
  listOrganizations as list,
  updateOrganization as update,
} from '../../../../domain/identity/organizations/organizations.js';
import { signedInAccount, signedInPerson } from '../../../http/access.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { Page, PageQuery } from '../../../http/schemas.js';
import { CreateOrganizationRequest, OrganizationResponse, UpdateOrganizationRequest } from './schemas.js';

const organizations = resource({
  tag: 'Organizations',
  path: '/organizations',
  read: signedInPerson({ openToProviders: true }),
  write: signedInAccount({ scope: 'workspace:write' }),
});

const createOrganization = organizations.create({
  operationId: 'createOrganization',
  audit: ['organization:created'],
  summary: 'Create an organization',
  description:
    'The caller is its owner. The operator decides who may create organizations, as for workspaces (`WORKSPACE_CREATION`), and how many (`WORKSPACES_PER_ACCOUNT`).',
  body: CreateOrganizationRequest,
  example: { body: { name: 'Second Health' } },
  response: OrganizationResponse,
  errors: {
    409: 'The account has created the maximum number of organizations (`too_many_organizations`).',
  },
  handler: async ({ context, services: { policy }, body }) =>
    presentOrganization(await create({ ...context, policy }, body)),
});

const listOrganizations = organizations.list({
  operationId: 'listOrganizations',
  summary: "List the caller's organizations",
  query: PageQuery(['name', 'createdAt']),
  response: Page(OrganizationResponse),
  handler: async ({ context, query }) => presentPage(query, await list(context, query), presentOrganization),
});

const getOrganization = organizations.get('/{organization_uuid}', {
  operationId: 'getOrganization',
  summary: 'Get an organization',
  description:
    'For its active members; to all others it does not exist. Owners and admins see its workspaces.',
  response: OrganizationResponse,
  handler: async ({ context, params }) => presentOrganization(await get(context, params.organization_uuid)),
});

const updateOrganization = organizations.update('/{organization_uuid}', {
  operationId: 'updateOrganization',
  audit: ['organization:updated'],
  summary: 'Change an organization',
  description:
    'For its owners. Omitted fields keep their values. While `ssoOnly` is set, owners and admins manage the organization with a session by its identity provider only; a superuser may end it for them (`{"ssoOnly": false}`).',
  access: signedInPerson({ openToProviders: true }),
  body: UpdateOrganizationRequest,
  example: { body: { name: 'Demo Health' } },
  response: OrganizationResponse,
  errors: {
    409: '`ssoOnly` needs a session by the identity provider, which shows that it works (`sso_unproved`).',
  },
  handler: async ({ context, params, body }) =>
    presentOrganization(await update(context, params.organization_uuid, body)),
});

function presentOrganization({ organization, role, workspaces }: OrganizationView) {
  return { ...organization, role, hasLogo: organization.logoFileId !== null, workspaces };
}

export const organizationRoutes = [
  createOrganization,
  listOrganizations,
  getOrganization,
  updateOrganization,
];
