import { listGrants, revokeGrant } from '../../../../domain/identity/oauth/grants.js';
import { signedInAccount, signedInPerson } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { Page, PageQuery } from '../../../http/schemas.js';
import { ConnectedApplicationResponse } from './schemas.js';

const tag = 'Applications';

const listConnectedApplications = defineRoute({
  operationId: 'listConnectedApplications',
  method: 'GET',
  path: '/account/connected-applications',
  tag,
  summary: 'List the applications that the account has let into its workspaces',
  access: signedInAccount({ scope: 'account:read' }),
  query: PageQuery(['createdAt'], {}, 'desc'),
  response: { status: 200, schema: Page(ConnectedApplicationResponse) },
  handler: async ({ context, query }) => presentPage(query, await listGrants(context, query)),
});

const disconnectApplication = defineRoute({
  operationId: 'disconnectApplication',
  audit: ['application:disconnected'],
  method: 'DELETE',
  path: '/account/connected-applications/{connection_uuid}',
  tag,
  summary: 'Disconnect an application',
  description: 'Its tokens for the workspace are refused from now on.',
  access: signedInPerson(),
  example: { params: { connection_uuid: demo.connectionUuid } },
  response: { status: 204 },
  handler: async ({ context, params }) => revokeGrant(context, params.connection_uuid),
});

export const connectedApplicationRoutes = [listConnectedApplications, disconnectApplication];
