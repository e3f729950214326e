import Type from 'typebox';
import {
  attachFilesToAssignment,
  detachFileFromAssignment,
  listFilesOfAssignment,
} from '../../../../domain/assignments/assignment-files.js';
import { fileLimits } from '../../../../domain/files/limits.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { presentPage } from '../../../http/paging.js';
import { Id } from '../../../http/schemas.js';
import { presentFileFor } from './presenter.js';
import { FilePage, FileResponse, ListFilesOfFolderQuery } from './schemas.js';

const tag = 'Assignments';
const path = '/w/{workspace_uuid}/assignments/{assignment_id}/files';

const list = defineRoute({
  operationId: 'listFilesOfAssignment',
  method: 'GET',
  path,
  tag,
  summary: 'List the files of an assignment',
  description:
    "Those attached to it, as far as the caller may read them. For the caller's own assignments, or any with the permission assignments:read; the credential needs the scope files:read as well.",
  access: workspaceMember({ scope: 'assignments:read' }),
  query: ListFilesOfFolderQuery,
  response: { status: 200, schema: FilePage },
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

const attach = defineRoute({
  operationId: 'attachFilesToAssignment',
  method: 'POST',
  path,
  tag,
  summary: 'Attach files to an assignment',
  description: `The member of the assignment may read them from then on. What is attached already stays as it is. An assignment has at most ${fileLimits.filesOfAssignment} files, beside those of messages. For the caller's own assignments, or any with the permission assignments:write; the credential needs the scope files:read as well.`,
  access: workspaceMember({ scope: 'assignments:write' }),
  body: AttachFilesRequest,
  example: { body: { fileIds: [demo.fileId] } },
  response: { status: 200, schema: Type.Array(FileResponse) },
  errors: { 409: 'The assignment has as many files as allowed (`too_many_files`).' },
  handler: async ({ context, services, params, body }) => {
    const files = await attachFilesToAssignment(context, params.assignment_id, body.fileIds);
    return files.map((file) => presentFileFor({ context, services }, file));
  },
});

const detach = defineRoute({
  operationId: 'detachFileFromAssignment',
  method: 'DELETE',
  path: `${path}/{file_id}`,
  tag,
  summary: 'Detach a file from an assignment',
  description:
    "The file itself stays, and what came with a message stays attached. For the caller's own assignments, or any with the permission assignments:write.",
  access: workspaceMember({ scope: 'assignments:write' }),
  example: { once: true },
  response: { status: 204 },
  handler: async ({ context, params }) =>
    detachFileFromAssignment(context, params.assignment_id, params.file_id),
});

export const routesOfAssignments = [list, attach, detach];
