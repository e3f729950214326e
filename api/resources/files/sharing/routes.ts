import Type from 'typebox';
import {
  getSharedFile,
  getSharedFileContent,
  getSharedFolder,
} from '../../../../domain/files/sharing/shared-files.js';
import { memberOrVisitor } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { Id, Uuid } from '../../../http/schemas.js';
import { servedContent } from '../served-content.js';
import {
  SharedFileQuery,
  SharedFileResponse,
  SharedFolderFilesResponse,
  SharedFolderQuery,
  SharedFolderResponse,
} from './schemas.js';

const common = {
  method: 'GET',
  tag: 'Sharing',
  access: memberOrVisitor({ scope: 'files:read' }),
} as const;

const whoMay =
  'Without signing in, what is `public` can be read, and with the `token` of a link what the link is to. Members read what they may read elsewhere. Everything else is 404.';

const getFile = defineRoute({
  ...common,
  operationId: 'getSharedFile',
  path: '/w/{workspace_uuid}/sharing/files/{file_id}',
  summary: 'Get a shared file',
  description: whoMay,
  query: SharedFileQuery,
  response: { status: 200, schema: SharedFileResponse },
  handler: async ({ context, params, query }) => await getSharedFile(context, params.file_id, query.token),
});

const getContents = defineRoute({
  ...common,
  operationId: 'getSharedFileContents',
  path: '/w/{workspace_uuid}/sharing/files/{file_id}/contents/{filename}',
  summary: 'Read the bytes of a shared file',
  description: `${whoMay} The name in the path is for people: any will do.`,
  params: Type.Object({
    workspace_uuid: Uuid,
    file_id: Id,
    filename: Type.String({ minLength: 1, maxLength: 1_000 }),
  }),
  query: SharedFileQuery,
  example: { params: { filename: 'leaflet.pdf' } },
  response: { status: 200, file: true, description: 'The bytes of the current version.' },
  handler: async ({ context, services, params, query }) => {
    const { file, content } = await getSharedFileContent(context, params.file_id, query.token);
    return servedContent(services.storage, context.workspaceUuid, content, {
      // What came from outside is saved, and not shown.
      disposition: file.source === 'upload' ? 'inline' : 'attachment',
      embeddable: file.access === 'public',
    });
  },
});

const getFolder = defineRoute({
  ...common,
  operationId: 'getSharedFolder',
  path: '/w/{workspace_uuid}/sharing/folders/{folder_id}',
  summary: 'Get a shared folder with its files',
  description: `${whoMay} The list has those files directly in the folder that the caller may read. A link to the folder
also shows its files that are not private, and those of the member who created the link.`,
  query: SharedFolderQuery,
  response: { status: 200, schema: SharedFolderResponse },
  handler: async ({ context, params, query }) => {
    const { token, ...page } = query;
    const { folder, files } = await getSharedFolder(context, params.folder_id, { token, page });
    return { ...folder, files: presentPage(page, files) };
  },
});

const listFiles = defineRoute({
  ...common,
  operationId: 'listSharedFolderFiles',
  path: '/w/{workspace_uuid}/sharing/folders/{folder_id}/files',
  summary: 'List the files of a shared folder',
  description: `${whoMay} The list is the one of Get a shared folder.`,
  query: SharedFolderQuery,
  response: { status: 200, schema: SharedFolderFilesResponse },
  handler: async ({ context, params, query }) => {
    const { token, ...page } = query;
    const { files } = await getSharedFolder(context, params.folder_id, { token, page });
    return presentPage(page, files);
  },
});

export const sharingRoutes = [getFile, getContents, getFolder, listFiles];
