import Type from 'typebox';
import { checkNewVersion } from '../../../../domain/files/files/check-upload.js';
import { addFileVersion, restoreFileVersion } from '../../../../domain/files/versions/add-version.js';
import { listFileVersions } from '../../../../domain/files/versions/file-versions.js';
import { dropUpload, storeUpload } from '../../../../domain/files/versions/store-upload.js';
import { defineRoute } from '../../../http/define-route.js';
import { presentPage } from '../../../http/paging.js';
import { Id, Uuid } from '../../../http/schemas.js';
import { readers, writers } from '../access.js';
import { fileStorageOf, keptFile, uploadErrors } from '../upload.js';
import { FileVersionPage, FileVersionResponse, ListVersionsQuery } from './schemas.js';

const tag = 'Files';
const pathOfFile = '/w/{workspace_uuid}/files/{file_id}';
const path = `${pathOfFile}/versions` as const;
const VersionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

const upload = defineRoute({
  operationId: 'uploadFileVersion',
  method: 'POST',
  path,
  tag,
  summary: 'Upload a version',
  description:
    'It becomes the current version of the file, with the name and kind of the upload; the earlier ones stay. For own uploads, or any file with the permission files:write. A file has at most 1,000 versions.',
  access: writers,
  consumes: 'multipart',
  file: keptFile,
  example: { body: {}, file: 'Drink enough water, and rest.\n' },
  response: { status: 201, schema: FileVersionResponse },
  errors: {
    ...uploadErrors,
    409: `${uploadErrors[409]} Or the file has as many versions as allowed (\`too_many_versions\`).`,
  },
  prepare: async ({ context, params, file, services }) => {
    await checkNewVersion(context, params.file_id);
    return storeUpload(context, fileStorageOf(services), { spooled: file, name: file.name });
  },
  giveBack: dropUpload,
  handler: async ({ context, params, prepared }) => addFileVersion(context, params.file_id, prepared),
});

const list = defineRoute({
  operationId: 'listFileVersions',
  method: 'GET',
  path,
  tag,
  summary: 'List the versions of a file',
  access: readers,
  query: ListVersionsQuery,
  response: { status: 200, schema: FileVersionPage },
  handler: async ({ context, params, query }) =>
    presentPage(query, await listFileVersions(context, params.file_id, query)),
});

const restore = defineRoute({
  operationId: 'restoreFileVersion',
  method: 'POST',
  path: `${path}/{version_number}/restore`,
  tag,
  summary: 'Restore a version',
  description:
    'Its bytes become the current version again, as a new one; no version is lost. For own uploads, or any file with the permission files:write.',
  access: writers,
  params: Type.Object({ workspace_uuid: Uuid, file_id: Id, version_number: VersionNumber }),
  response: { status: 201, schema: FileVersionResponse },
  errors: { 409: 'The file has as many versions as allowed (`too_many_versions`).' },
  handler: async ({ context, params }) => restoreFileVersion(context, params.file_id, params.version_number),
});

export const fileVersionRoutes = [upload, list, restore];
