import type { OAuthClientRow } from '../../../../db/identity/models/oauth-client.js';
import {
  createApplication as create,
  getApplication as get,
  listApplications as list,
  deleteApplication as remove,
  rotateApplicationSecret as rotate,
  updateApplication as update,
} from '../../../../domain/identity/oauth/applications.js';
import { signedInAccount, signedInPerson } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { Page, PageQuery } from '../../../http/schemas.js';
import {
  ApplicationResponse,
  CreateApplicationRequest,
  CreatedApplicationResponse,
  UpdateApplicationRequest,
} from './schemas.js';

const tag = 'Applications';
const readers = signedInAccount({ scope: 'account:read' });

const createApplication = defineRoute({
  operationId: 'createApplication',
  audit: ['application:created'],
  method: 'POST',
  path: '/account/applications',
  tag,
  summary: 'Create an OAuth application',
  description:
    'The answer contains the client secret, only this once. People let the application into one of their workspaces at `/api/v2/oauth/authorize`; docs/oauth.md has the flow. An application never gets the scopes `keys:write`, `members:impersonate`, `account:create` and `account:write`.',
  access: signedInPerson(),
  body: CreateApplicationRequest,
  example: {
    body: {
      name: 'Desk client',
      redirectUris: ['https://desk.example/callback'],
      scopes: ['chats:read', 'members:read'],
    },
  },
  response: { status: 201, schema: CreatedApplicationResponse },
  secretAnswer: true,
  errors: { 409: 'The account has 50 applications (`too_many_applications`).' },
  handler: async ({ context, body }) => {
    const { application, secret } = await create(context, body);
    return { ...presentApplication(application), secret };
  },
});

const listApplications = defineRoute({
  operationId: 'listApplications',
  method: 'GET',
  path: '/account/applications',
  tag,
  summary: 'List the OAuth applications of the account',
  access: readers,
  query: PageQuery(['createdAt', 'name'], {}, 'desc'),
  response: { status: 200, schema: Page(ApplicationResponse) },
  handler: async ({ context, query }) => presentPage(query, await list(context, query), presentApplication),
});

const getApplication = defineRoute({
  operationId: 'getApplication',
  method: 'GET',
  path: '/account/applications/{application_uuid}',
  tag,
  summary: 'Get an OAuth application',
  access: readers,
  response: { status: 200, schema: ApplicationResponse },
  handler: async ({ context, params }) => presentApplication(await get(context, params.application_uuid)),
});

const updateApplication = defineRoute({
  operationId: 'updateApplication',
  audit: ['application:updated'],
  method: 'PUT',
  path: '/account/applications/{application_uuid}',
  tag,
  summary: 'Change an OAuth application',
  description: 'Omitted fields keep their values. What people have consented to before stays as it is.',
  access: signedInPerson(),
  body: UpdateApplicationRequest,
  example: { params: { application_uuid: demo.applicationUuid }, body: { name: 'Desk client, new' } },
  response: { status: 200, schema: ApplicationResponse },
  handler: async ({ context, params, body }) =>
    presentApplication(await update(context, params.application_uuid, body)),
});

const rotateApplicationSecret = defineRoute({
  operationId: 'rotateApplicationSecret',
  audit: ['application:secret_rotated'],
  method: 'POST',
  path: '/account/applications/{application_uuid}/rotate',
  tag,
  summary: 'Rotate the secret of an OAuth application',
  description: 'The answer contains the new secret, only this once. The one before stays valid for a day.',
  access: signedInPerson(),
  example: { params: { application_uuid: demo.applicationUuid } },
  response: { status: 201, schema: CreatedApplicationResponse },
  secretAnswer: true,
  errors: { 409: 'The application has no secret (`application_is_public`).' },
  handler: async ({ context, params }) => {
    const { application, secret } = await rotate(context, params.application_uuid);
    return { ...presentApplication(application), secret };
  },
});

const deleteApplication = defineRoute({
  operationId: 'deleteApplication',
  audit: ['application:deleted'],
  method: 'DELETE',
  path: '/account/applications/{application_uuid}',
  tag,
  summary: 'Delete an OAuth application',
  description: 'All access that people have given it ends.',
  access: signedInPerson(),
  example: { params: { application_uuid: demo.applicationUuid } },
  response: { status: 204 },
  handler: async ({ context, params }) => remove(context, params.application_uuid),
});

function presentApplication(application: OAuthClientRow) {
  return { ...application, confidential: application.secretHash !== null };
}

export const applicationRoutes = [
  createApplication,
  listApplications,
  getApplication,
  updateApplication,
  rotateApplicationSecret,
  deleteApplication,
];
