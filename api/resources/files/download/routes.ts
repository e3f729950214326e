import Type from 'typebox';
import { objectKey } from '../../../../domain/files/object-store.js';
import { getFileContent } from '../../../../domain/files/versions/file-content.js';
import { defineRoute } from '../../../http/define-route.js';
import type { ServedFile } from '../../../http/files/served-file.js';
import { readers } from '../access.js';

const download = defineRoute({
  operationId: 'downloadFile',
  method: 'GET',
  path: '/w/{workspace_uuid}/files/{file_id}/download',
  tag: 'Files',
  summary: 'Download a file',
  description: 'The bytes of its current version, or of another one.',
  access: readers,
  query: Type.Object({
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'Number of the version; by default the current one',
      }),
    ),
  }),
  response: { status: 200, file: true, description: 'The bytes of the file.' },
  handler: async ({ context, services, params, query }) => {
    const content = await getFileContent(context, params.file_id, query.version);
    const key = objectKey(context.actor.workspaceUuid, content.objectUuid);
    const served: ServedFile = {
      bytes: content.bytes,
      sha256: content.sha256.toString('hex'),
      mimeType: content.mimeType,
      filename: content.filename,
      disposition: 'attachment',
      open: (range) => services.storage.get(key, range),
    };
    return served;
  },
});

export const downloadRoutes = [download];
