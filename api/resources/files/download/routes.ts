import Type from 'typebox';
import { getFileContent } from '../../../../domain/files/versions/file-content.js';
import { defineRoute } from '../../../http/define-route.js';
import { readers } from '../access.js';
import { servedContent } from '../served-content.js';

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
    return servedContent(services.storage, context.actor.workspaceUuid, content, {
      disposition: 'attachment',
    });
  },
});

export const downloadRoutes = [download];
