import Type from 'typebox';
import { addressOfSiteFile, readSiteFile } from '../../../../domain/sites/public/site-files.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { Id, Timestamp, Uuid } from '../../../http/schemas.js';
import { servedContent } from '../../files/served-content.js';
import { visitors } from '../access.js';

const tag = 'Sites';

const SiteFileAddressResponse = Type.Object(
  {
    url: Type.String({ description: 'Address at which anyone reads the bytes until `expiresAt`' }),
    token: Type.String({ description: 'The `token` of the address, for this version of the file only' }),
    expiresAt: Timestamp,
  },
  { $id: 'SiteFileAddressResponse' },
);

const address = defineRoute({
  operationId: 'createSiteFileAddress',
  method: 'POST',
  path: '/w/{workspace_uuid}/sites/{site_id}/files/{file_id}/address',
  tag,
  summary: 'Make an address of a file of a site',
  description:
    'At it anyone reads the current version of the file for 15 to 20 minutes, also where the site is not public: for previews of pages in a browser. It ends when the file is taken from the site.',
  access: workspaceMember({ scope: 'sites:read' }),
  response: { status: 200, schema: SiteFileAddressResponse },
  handler: async ({ context, services: { sites: addresses }, params }) =>
    addressOfSiteFile({ ...context, addresses }, params.site_id, params.file_id),
});

const contents = defineRoute({
  operationId: 'readSiteFile',
  method: 'GET',
  path: '/s/{workspace_uuid}/{site_uuid}/files/{file_id}/contents/{filename}',
  tag,
  summary: 'Read the bytes of a file of a site',
  description:
    'Files of the site (`siteId`), and those in the folder of its assets or below it, except private ones. Visitors read those of a public site, members those of all sites of the workspace. With a `token`, anyone reads the version that it is for. Everything else is 404. The name in the path is for people: any will do.',
  access: visitors,
  params: Type.Object({
    workspace_uuid: Uuid,
    site_uuid: Uuid,
    file_id: Id,
    filename: Type.String({ minLength: 1, maxLength: 1_000 }),
  }),
  query: Type.Object({
    token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Made by Make an address of a file of a site. One that was altered is ignored',
      }),
    ),
  }),
  example: { params: { filename: 'leaflet.pdf' } },
  response: { status: 200, file: true, description: 'The bytes of the version.' },
  errors: { 403: 'The address has expired (`address_expired`).' },
  handler: async ({ context, services, params, query }) => {
    const { site_uuid: siteUuid, file_id: fileId } = params;
    const request = { siteUuid, fileId, token: query.token };
    const found = await readSiteFile({ ...context, addresses: services.sites }, request);
    return servedContent(services.storage, context.workspaceUuid, found.content, {
      // What came from outside is saved, and not shown.
      disposition: found.file.source === 'upload' ? 'inline' : 'attachment',
      embeddable: true,
      ...(found.validSeconds === undefined ? {} : { freshSeconds: found.validSeconds }),
    });
  },
});

export const siteFileRoutes = [address, contents];
