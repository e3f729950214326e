import Type from 'typebox';
import type { CommandContext } from '../../../../domain/kernel/context.js';
import { Forbidden, NotFound } from '../../../../domain/lib/errors.js';
import { archiveType } from '../../../../domain/person-data/exports/build-export.js';
import {
  type ExportView,
  getExport,
  getSignedArchive,
} from '../../../../domain/person-data/exports/read-export.js';
import { requestExport } from '../../../../domain/person-data/exports/request-export.js';
import { publicAccess, workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { Uuid } from '../../../http/schemas.js';
import type { Services } from '../../../http/services.js';
import { servedContent } from '../../files/served-content.js';
import { DataExportResponse } from './schemas.js';

const shared = {
  path: '/w/{workspace_uuid}/members/{member_id}/data-export',
  tag: 'Personal data',
  access: workspaceMember({ scope: 'person_data:export' }),
} as const;

function present({ context, services }: { context: CommandContext; services: Services }, found: ExportView) {
  const { workspaceUuid } = context.actor;
  const { memberId, uuid: exportUuid, rowCount: rows, fileCount: files, leftOutCount: leftOut } = found;
  const archive = { workspaceUuid, memberId, exportUuid };
  const address = services.archiveAddresses.addressOf(archive, context.clock.now());
  return { ...found, rows, files, leftOut, downloadUrl: found.state === 'ready' ? address : null };
}

const request = defineRoute({
  ...shared,
  operationId: 'requestDataExport',
  audit: ['data_export:requested'],
  method: 'POST',
  summary: 'Export what is stored about a member',
  description:
    'A durable run builds a ZIP archive: rows as JSON Lines, the bytes of files, and a manifest. `GET` of the same path follows it. With the permission `person_data:export` it is about any member, also a deleted one, and has what members do not see; without it, it is about the caller’s own member. A call while one is being built returns that one.',
  example: { params: { member_id: demo.memberId } },
  response: { status: 202, schema: DataExportResponse },
  errors: {
    409: 'The member is an assistant (`member_is_assistant`), or what was stored about it is erased (`member_erased`).',
    429: 'The member has had five exports within a day, or ten of the workspace are being built (`too_many_exports`).',
  },
  handler: async ({ context, services, params }) =>
    present(
      { context, services },
      await requestExport(context, params.member_id, { keptDays: services.policy.exportDays }),
    ),
});

const get = defineRoute({
  ...shared,
  operationId: 'getDataExport',
  audit: {
    not: 'it has no data: what is read at the address that it gives is recorded as data_export:downloaded',
  },
  method: 'GET',
  summary: 'Get the newest export of a member',
  description:
    'With the permission `person_data:export`, of those with what members do not see; without it, of those that the caller has requested about its own member.',
  example: { params: { member_id: demo.memberId } },
  response: { status: 200, schema: DataExportResponse },
  handler: async ({ context, services, params }) =>
    present({ context, services }, await getExport(context, params.member_id)),
});

const SignedQuery = Type.Object({
  export: Type.String({ ...Uuid, description: 'The uuid of the export' }),
  expires: Type.Integer({
    minimum: 1,
    maximum: 99_999_999_999,
    description: 'When the address expires, in seconds since 1970',
  }),
  signature: Type.String({ minLength: 1, maxLength: 100, description: 'Made by the service' }),
});

const getContents = defineRoute({
  ...shared,
  path: `${shared.path}/contents`,
  operationId: 'getDataExportContents',
  audit: ['data_export:downloaded'],
  method: 'GET',
  summary: 'Download an archive at its signed address',
  description:
    'Serves `downloadUrl` of an export, without signing in: use it as it is. An address that was altered is 404, as is an archive that is deleted or replaced; an address that has expired is 403 `address_expired`.',
  access: publicAccess(),
  query: SignedQuery,
  example: {
    params: { member_id: demo.memberId },
    query: {
      export: '5a3c8e1e-7b42-4d0a-9f36-1c2b8e6d4f0a',
      expires: 1_795_000_000,
      signature: 'OSr-mGXxQh0SwDkAVtz4nXHUPpTBsXLJNM4PyGp1cEo',
    },
  },
  response: { status: 200, file: true, description: 'The archive.' },
  errors: {
    403: 'The address has expired (`address_expired`). Get the export again, whose `downloadUrl` is a new one.',
  },
  handler: async ({ context, services, params, query }) => {
    const workspaceUuid = params.workspace_uuid.toLowerCase();
    const memberId = params.member_id;
    const standing = services.archiveAddresses.check({ workspaceUuid, memberId }, query, context.clock.now());
    if (standing === 'altered') throw new NotFound('Export');
    if (standing === 'expired') throw new Forbidden('address', 'The address has expired.', 'address_expired');
    const named = { memberId, exportUuid: query.export };
    const { objectUuid, bytes, sha256, createdAt } = await getSignedArchive(context, workspaceUuid, named);
    const content = {
      objectUuid,
      sha256,
      bytes,
      mimeType: archiveType,
      filename: `member-${memberId}-${createdAt.toISOString().slice(0, 10)}.zip`,
    };
    return servedContent(services.storage, workspaceUuid, content, { disposition: 'attachment' });
  },
});

export const dataExportRoutes = [request, get, getContents];
