import Type from 'typebox';
import { getSignedContent } from '../../../../domain/files/sharing/shared-files.js';
import { Forbidden, NotFound } from '../../../../domain/lib/errors.js';
import { publicAccess } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { Id, OneOf, Uuid } from '../../../http/schemas.js';
import { servedContent } from '../served-content.js';

const SignedQuery = Type.Object({
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Number of the version' }),
  disposition: OneOf(['inline', 'attachment'], {
    description: 'Whether a browser shows the file, if it is of a kind that runs nothing, or saves it',
  }),
  expires: Type.Integer({
    minimum: 1,
    maximum: 99_999_999_999,
    description: 'When the address expires, in seconds since 1970',
  }),
  signature: Type.String({ minLength: 1, maxLength: 100, description: 'Made by the service' }),
});

/** GET W/files/{file_id}/contents/{filename}: the signed addresses that the service gives out as `cdnUrl`. */
const getSignedContents = defineRoute({
  operationId: 'getFileContents',
  method: 'GET',
  path: '/w/{workspace_uuid}/files/{file_id}/contents/{filename}',
  tag: 'Files',
  summary: 'Read the bytes of a file at a signed address',
  description:
    'Serves `cdnUrl` of a file. The address is valid for 15 to 20 minutes, without signing in: use it as it is. The name in the path is for people. An address that was altered is 404, one that has expired 403 `address_expired`.',
  access: publicAccess(),
  params: Type.Object({
    workspace_uuid: Uuid,
    file_id: Id,
    filename: Type.String({ minLength: 1, maxLength: 1_000 }),
  }),
  query: SignedQuery,
  example: {
    params: { filename: 'leaflet.pdf' },
    query: {
      version: 1,
      disposition: 'inline',
      expires: 1_795_000_000,
      signature: 'OSr-mGXxQh0SwDkAVtz4nXHUPpTBsXLJNM4PyGp1cEo',
    },
  },
  response: { status: 200, file: true, description: 'The bytes of the version.' },
  errors: {
    403: 'The address has expired (`address_expired`). Read the file again, whose `cdnUrl` is a new one.',
  },
  handler: async ({ context, services, params, query }) => {
    const { workspace_uuid: workspaceUuid, file_id: fileId } = params;
    const now = context.clock.now();
    const standing = services.fileAddresses.check({ workspaceUuid, fileId }, query, now);
    if (standing === 'altered') throw new NotFound('File');
    if (standing === 'expired') throw new Forbidden('address', 'The address has expired.', 'address_expired');
    const { version, disposition, expires } = query;
    const content = await getSignedContent(context, workspaceUuid, { fileId, version });
    return servedContent(services.storage, workspaceUuid.toLowerCase(), content, {
      disposition,
      embeddable: true,
      // The address gives these bytes as long as it is valid, and never others.
      freshSeconds: Math.max(0, Math.floor(expires - now.getTime() / 1_000)),
    });
  },
});

export const fileContentRoutes = [getSignedContents];
