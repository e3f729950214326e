import Type from 'typebox';
import {
  attachFilesToAssignment,
  detachFileFromAssignment,
  listFilesOfAssignment,
} from '../../../../domain/assignments/assignment-files.js';
import { fileLimits } from '../../../../domain/files/limits.js';
import { workspaceMember } from '../../../http/access.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { resource } from '../../../http/resource.js';
import { Id } from '../../../http/schemas.js';
import { presentFileFor } from './presenter.js';
import { FilePage, FileResponse, ListFilesOfFolderQuery } from './schemas.js';

const files = resource({
  tag: 'Assignments',
  path: '/w/{workspace_uuid}/assignments/{assignment_id}/files',
  read: workspaceMember({ scope: 'assignments:read' }),
  write: workspaceMember({ scope: 'assignments:write' }),
});

const list = files.list({
  operationId: 'listFilesOfAssignment',
  summary: 'List the files of an assignment',
  description:
    "Those attached to it, as far as the caller may read them. For the caller's own assignments, or any with the permission assignments:read; the credential needs the scope files:read as well.",
  query: ListFilesOfFolderQuery,
  response: FilePage,
  handler: async ({ context, services, params, query }) =>
    presentPage(query, await listFilesOfAssignment(context, params.assignment_id, query), (file) =>
      presentFileFor({ context, services }, file),
    ),
});

const AttachFilesRequest = Type.Object({
  fileIds: Type.Array(Id, {
    minItems: 1,
    maxItems: 20,
    uniqueItems: true,
    description: 'Files that the caller may read',
  }),
});

const attach = files.act({
  operationId: 'attachFilesToAssignment',
  summary: 'Attach files to an assignment',
  description: `The member of the assignment may read them from then on. What is attached already stays as it is. An assignment has at most ${fileLimits.filesOfAssignment} files, beside those of messages. For the caller's own assignments, or any with the permission assignments:write; the credential needs the scope files:read as well.`,
  body: AttachFilesRequest,
  example: { body: { fileIds: [demo.fileId] } },
  response: Type.Array(FileResponse),
  errors: { 409: 'The assignment has as many files as allowed (`too_many_files`).' },
  handler: async ({ context, services, params, body }) => {
    const files = await attachFilesToAssignment(context, params.assignment_id, body.fileIds);
    return files.map((file) => presentFileFor({ context, services }, file));
  },
});

const detach = files.remove('/{file_id}', {
  operationId: 'detachFileFromAssignment',
  summary: 'Detach a file from an assignment',
  description:
    "The file itself stays, and what came with a message stays attached. For the caller's own assignments, or any with the permission assignments:write.",
  example: { once: true },
  handler: async ({ context, params }) =>
    detachFileFromAssignment(context, params.assignment_id, params.file_id),
});

export const routesOfAssignments = [list, attach, detach];
