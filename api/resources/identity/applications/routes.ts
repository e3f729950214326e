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
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { Page, PageQuery } from '../../../http/schemas.js';
import {
  ApplicationResponse,
  CreateApplicationRequest,
  CreatedApplicationResponse,
  UpdateApplicationRequest,
} from './schemas.js';

const applications = resource({
  tag: 'Applications',
  path: '/account/applications',
  read: signedInAccount({ scope: 'account:read' }),
  write: signedInPerson(),
});

const createApplication = applications.create({
  operationId: 'createApplication',
  audit: ['application:created'],
  summary: 'Create an OAuth application',
  description:
    'The answer contains the client secret, only this once. People let the application into one of their workspaces at `/api/v2/oauth/authorize`; docs/oauth.md has the flow. An application never gets the scopes `keys:write`, `members:impersonate`, `account:create` and `account:write`.',
  body: CreateApplicationRequest,
  example: {
    body: {
      name: 'Desk client',
      redirectUris: ['https://desk.example/callback'],
      scopes: ['chats:read', 'members:read'],
    },
  },
  response: CreatedApplicationResponse,
  secretAnswer: true,
  errors: { 409: 'The account has 50 applications (`too_many_applications`).' },
  handler: async ({ context, body }) => {
    const { application, secret } = await create(context, body);
    return { ...presentApplication(application), secret };
  },
});

const listApplications = applications.list({
  operationId: 'listApplications',
  summary: 'List the OAuth applications of the account',
  query: PageQuery(['createdAt', 'name'], {}, 'desc'),
  response: Page(ApplicationResponse),
  handler: async ({ context, query }) => presentPage(query, await list(context, query), presentApplication),
});

const getApplication = applications.get('/{application_uuid}', {
  operationId: 'getApplication',
  summary: 'Get an OAuth application',
  response: ApplicationResponse,
  handler: async ({ context, params }) => presentApplication(await get(context, params.application_uuid)),
});

const updateApplication = applications.update('/{application_uuid}', {
  operationId: 'updateApplication',
  audit: ['application:updated'],
  summary: 'Change an OAuth application',
  description: 'Omitted fields keep their values. What people have consented to before stays as it is.',
  body: UpdateApplicationRequest,
  example: { params: { application_uuid: demo.applicationUuid }, body: { name: 'Desk client, new' } },
  response: ApplicationResponse,
  handler: async ({ context, params, body }) =>
    presentApplication(await update(context, params.application_uuid, body)),
});

const rotateApplicationSecret = applications.create('/{application_uuid}/rotate', {
  operationId: 'rotateApplicationSecret',
  audit: ['application:secret_rotated'],
  summary: 'Rotate the secret of an OAuth application',
  description: 'The answer contains the new secret, only this once. The one before stays valid for a day.',
  example: { params: { application_uuid: demo.applicationUuid } },
  response: CreatedApplicationResponse,
  secretAnswer: true,
  errors: { 409: 'The application has no secret (`application_is_public`).' },
  handler: async ({ context, params }) => {
    const { application, secret } = await rotate(context, params.application_uuid);
    return { ...presentApplication(application), secret };
  },
});

const deleteApplication = applications.remove('/{application_uuid}', {
  operationId: 'deleteApplication',
  audit: ['application:deleted'],
  summary: 'Delete an OAuth application',
  description: 'All access that people have given it ends.',
  example: { params: { application_uuid: demo.applicationUuid } },
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
