import Type from 'typebox';
import { authorizeNewVersion } from '../../../../domain/files/files/authorize-upload.js';
import { addFileVersion, restoreFileVersion } from '../../../../domain/files/versions/add-version.js';
import { listFileVersions } from '../../../../domain/files/versions/file-versions.js';
import { dropUpload, storeUpload } from '../../../../domain/files/versions/store-upload.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { Id, Uuid } from '../../../http/schemas.js';
import { readers, writers } from '../access.js';
import { fileStorageOf, keptFile, uploadErrors } from '../upload.js';
import { FileVersionPage, FileVersionResponse, ListVersionsQuery } from './schemas.js';

const VersionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

const versions = resource({
  tag: 'Files',
  path: '/w/{workspace_uuid}/files/{file_id}/versions',
  read: readers,
  write: writers,
});

const upload = versions.create({
  operationId: 'uploadFileVersion',
  summary: 'Upload a version',
  description:
    'It becomes the current version of the file, with the name and kind of the upload; the earlier ones stay. For own uploads, or any file with the permission files:write. A file has at most 1,000 versions.',
  consumes: 'multipart',
  file: keptFile,
  example: { body: {}, file: 'Drink enough water, and rest.\n' },
  response: FileVersionResponse,
  errors: {
    ...uploadErrors,
    409: `${uploadErrors[409]} Or the file has as many versions as allowed (\`too_many_versions\`).`,
  },
  prepare: async ({ context, params, file, services }) => {
    await authorizeNewVersion(context, params.file_id);
    return storeUpload(context, fileStorageOf(services), { spooled: file, name: file.name });
  },
  giveBack: dropUpload,
  handler: async ({ context, params, prepared }) => addFileVersion(context, params.file_id, prepared),
});

const list = versions.list({
  operationId: 'listFileVersions',
  summary: 'List the versions of a file',
  query: ListVersionsQuery,
  response: FileVersionPage,
  handler: async ({ context, params, query }) =>
    presentPage(query, await listFileVersions(context, params.file_id, query)),
});

const restore = versions.create('/{version_number}/restore', {
  operationId: 'restoreFileVersion',
  summary: 'Restore a version',
  description:
    'Its bytes become the current version again, as a new one; no version is lost. For own uploads, or any file with the permission files:write.',
  params: Type.Object({ workspace_uuid: Uuid, file_id: Id, version_number: VersionNumber }),
  response: FileVersionResponse,
  errors: { 409: 'The file has as many versions as allowed (`too_many_versions`).' },
  handler: async ({ context, params }) => restoreFileVersion(context, params.file_id, params.version_number),
});

export const fileVersionRoutes = [upload, list, restore];
