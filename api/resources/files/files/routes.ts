import { authorizeNewFile } from '../../../../domain/files/files/authorize-upload.js';
import { createFile } from '../../../../domain/files/files/create-file.js';
import { deleteFile } from '../../../../domain/files/files/delete-file.js';
import { getFile, listFiles, listFilesOfFolder } from '../../../../domain/files/files/get-and-list-files.js';
import { readInlineImage } from '../../../../domain/files/files/inline-image.js';
import { lockFileForChange } from '../../../../domain/files/files/lock-file-for-change.js';
import { updateFile } from '../../../../domain/files/files/update-file.js';
import { reindexFile } from '../../../../domain/files/indexing/reindex-file.js';
import { dropUpload, storeUpload } from '../../../../domain/files/versions/store-upload.js';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { readers, writers } from '../access.js';
import { renewAddresses } from '../bytes-address.js';
import { fileStorageOf, keptFile, uploadErrors } from '../upload.js';
import { routesOfAssignments } from './of-assignments.js';
import { presentFileFor } from './presenter.js';
import {
  FilePage,
  FileResponse,
  ListFilesOfFolderQuery,
  ListFilesQuery,
  UpdateFileRequest,
  UploadFileRequest,
} from './schemas.js';

const tag = 'Files';
const path = '/w/{workspace_uuid}/files';
const pathOfOne = `${path}/{file_id}` as const;
const visible =
  'Without the permission files:read: own files, those attached for the caller, and those with the access workspace or public.';

const files = resource({
  tag: 'Files',
  path: '/w/{workspace_uuid}/files',
  read: readers,
  write: writers,
});

const upload = files.create({
  operationId: 'uploadFile',
  audit: ['file:access_changed'],
  summary: 'Upload a file',
  description:
    'The caller is its owner. In a folder of another member, the permission files:write is needed. Files of one name do not replace each other; a new version of a file is added by Upload a version.',
  consumes: 'multipart',
  file: keptFile,
  body: UploadFileRequest,
  example: { body: { name: 'After your visit', folderId: demo.folderId }, file: 'Drink enough water.\n' },
  response: FileResponse,
  errors: uploadErrors,
  prepare: async ({ context, body, file, services }) => {
    await authorizeNewFile(context, body);
    return storeUpload(context, fileStorageOf(services), { spooled: file, name: file.name });
  },
  giveBack: dropUpload,
  renew: (input, answer) => renewAddresses(input, [answer]),
  handler: async ({ context, services, body, prepared }) =>
    presentFileFor({ context, services }, await createFile(context, body, prepared)),
});

const list = files.list({
  operationId: 'listFiles',
  summary: 'List files',
  description: visible,
  query: ListFilesQuery,
  response: FilePage,
  handler: async ({ context, services, query }) =>
    presentPage(query, await listFiles(context, query), (file) =>
      presentFileFor({ context, services }, file),
    ),
});

const listOfFolder = defineRoute({
  operationId: 'listFilesOfFolder',
  method: 'GET',
  path: '/w/{workspace_uuid}/folders/{folder_id}/files',
  tag,
  summary: 'List the files of a folder',
  description: `Those directly in it. ${visible}`,
  access: readers,
  query: ListFilesOfFolderQuery,
  response: { status: 200, schema: FilePage },
  handler: async ({ context, services, params, query }) =>
    presentPage(query, await listFilesOfFolder(context, params.folder_id, query), (file) =>
      presentFileFor({ context, services }, file),
    ),
});

const get = files.get('/{file_id}', {
  operationId: 'getFile',
  summary: 'Get a file',
  description: `What is known of it; its bytes are read by Download a file. ${visible}`,
  response: FileResponse,
  etag: { except: ['data', 'cdnUrl', 'indexing'] },
  handler: async ({ context, services, params, isForTag }) => {
    const file = await getFile(context, params.file_id);
    // Not for the tag within a transaction, in which the storage is not asked.
    const data =
      isForTag === true
        ? null
        : await readInlineImage(services.storage, context.actor.workspaceUuid, file.content);
    return presentFileFor({ context, services }, file, data);
  },
});

const lock = ({ context, params }: { context: CommandContext; params: { file_id: number } }) =>
  lockFileForChange(context, params.file_id);

const update = files.update('/{file_id}', {
  operationId: 'updateFile',
  audit: ['file:access_changed'],
  summary: 'Change a file',
  description:
    'What is known of it; its bytes are changed by Upload a version. For own uploads, or any file with the permission files:write.',
  body: UpdateFileRequest,
  example: { body: { title: 'After your visit', labelIds: [demo.fileLabelId] } },
  response: FileResponse,
  ifMatch: { current: get, lock },
  handler: async ({ context, services, params, body }) =>
    presentFileFor({ context, services }, await updateFile(context, params.file_id, body)),
});

const remove = files.remove('/{file_id}', {
  operationId: 'deleteFile',
  summary: 'Delete a file',
  description:
    'With all its versions, links and attachments, for good. For own uploads, or any file with the permission files:write.',
  example: { params: { file_id: demo.fileToDelete }, once: true },
  ifMatch: { current: get, lock },
  handler: async ({ context, params }) => deleteFile(context, params.file_id),
});

const reindex = defineRoute({
  operationId: 'reindexFile',
  method: 'POST',
  path: `${pathOfOne}/reindex`,
  tag,
  summary: 'Index a file again',
  description:
    'Has the text of the current version read again, from its first page on; until then it is not found by searches. Useful after indexing has failed. A file that waits to be indexed keeps its place, and one of a kind without text stays as it is. For own uploads, or any file with the permission files:write.',
  access: writers,
  response: { status: 202, schema: FileResponse },
  errors: { 409: 'A hundred files of the workspace or more wait to be indexed (`too_many_to_index`).' },
  handler: async ({ context, services, params }) =>
    presentFileFor({ context, services }, await reindexFile(context, params.file_id)),
});

export const fileRoutes = [upload, list, listOfFolder, get, update, remove, reindex, ...routesOfAssignments];
