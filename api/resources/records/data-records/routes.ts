import type { CommandContext } from '../../../../domain/kernel/context.js';
import {
  createDataRecord,
  prefetchNewRecord,
} from '../../../../domain/records/data-records/create-data-record.js';
import { deleteDataRecord } from '../../../../domain/records/data-records/delete-data-record.js';
import { lockRecordForChange } from '../../../../domain/records/data-records/lock-record-for-change.js';
import {
  getDataRecord,
  prefetchDataRecord,
} from '../../../../domain/records/data-records/queries/get-data-record.js';
import {
  restoreDataRecord,
  retireDataRecord,
} from '../../../../domain/records/data-records/record-retirement.js';
import { updateDataRecord } from '../../../../domain/records/data-records/update-data-record.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { resource } from '../../../http/resource.js';
import { exportRoutes } from './export.js';
import { importRecords } from './import.js';
import { listRoute } from './list.js';
import { presentDataRecord } from './presenter.js';
import {
  ByExternalIdQuery,
  CreateDataRecordRequest,
  DataRecordResponse,
  DeletedRecordResponse,
  RetireDataRecordRequest,
  UpdateDataRecordRequest,
} from './schemas.js';

const records = resource({
  tag: 'Data records',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records',
  read: workspaceMember({ scope: 'data:read' }),
  write: workspaceMember({ scope: 'data:write' }),
});

const create = records.create({
  operationId: 'createDataRecord',
  audit: { not: 'changes of a record are kept with it, with who made them: listDataRecordChanges' },
  summary: 'Create a data record',
  description:
    'The status is 201 for a record that is updated as well; `operation` says what was done. If a record of the type has the externalId, that record is updated: it moves to memberId, if given, and is restored if it was retired. Records of other members need the permission records:write or data:write:<slug>.',
  body: CreateDataRecordRequest,
  example: {
    body: {
      memberId: demo.memberId,
      fieldValues: { reason: 'Headache', status: 'planned', day: '2030-05-14' },
    },
  },
  response: DataRecordResponse,
  errors: { 409: 'The record is retired, or concurrent requests are changing it.' },
  prefetch: (tx, { params }) => prefetchNewRecord(tx, params.data_type_id),
  handler: async ({ context, params, body, prefetched }) =>
    presentDataRecord(await createDataRecord(context, params.data_type_id, body, prefetched)),
});

const updateByExternalId = records.update({
  operationId: 'updateDataRecordByExternalId',
  audit: { not: 'changes of a record are kept with it, with who made them: listDataRecordChanges' },
  summary: 'Change the data record with an external id',
  description:
    "Without the permission records:write or data:write:<slug>, the externalId of another member's record is refused with 403.",
  query: ByExternalIdQuery,
  body: UpdateDataRecordRequest,
  example: {
    query: { externalId: demo.recordExternalId },
    body: { fieldValues: { day: '2030-05-15' } },
  },
  response: DataRecordResponse,
  errors: { 409: 'The record is retired.' },
  handler: async ({ context, params, query, body }) =>
    presentDataRecord(await updateDataRecord(context, params.data_type_id, query, body)),
});

const get = records.get('/{record_id}', {
  operationId: 'getDataRecord',
  summary: 'Get a data record',
  response: DataRecordResponse,
  etag: true,
  prefetch: (tx, { params }) => prefetchDataRecord(tx, params.data_type_id, params.record_id),
  handler: async ({ context, params, prefetched }) =>
    presentDataRecord(await getDataRecord(context, params.data_type_id, params.record_id, prefetched)),
});

const ifMatch = {
  current: get,
  lock: ({
    context,
    params,
  }: {
    context: CommandContext;
    params: { data_type_id: number; record_id: number };
  }) => lockRecordForChange(context, params.data_type_id, params.record_id),
};

const update = records.update('/{record_id}', {
  operationId: 'updateDataRecord',
  audit: { not: 'changes of a record are kept with it, with who made them: listDataRecordChanges' },
  summary: 'Change a data record',
  body: UpdateDataRecordRequest,
  example: { body: { fieldValues: { status: 'done' } } },
  response: DataRecordResponse,
  ifMatch,
  errors: { 409: 'The record is retired.' },
  handler: async ({ context, params, body }) =>
    presentDataRecord(await updateDataRecord(context, params.data_type_id, { id: params.record_id }, body)),
});

const remove = defineRoute({
  operationId: 'deleteDataRecord',
  method: 'DELETE',
  path: '/w/{workspace_uuid}/data-types/{data_type_id}/records/{record_id}',
  tag: 'Data records',
  summary: 'Delete a data record',
  description:
    'Deletes the record permanently, with its history of changes, its events, and stored answers that contain it.',
  access: workspaceMember({ scope: 'records:admin', permission: 'records:admin' }),
  example: { params: { record_id: demo.recordToDelete }, once: true },
  response: { status: 200, schema: DeletedRecordResponse },
  ifMatch,
  handler: async ({ context, params }) => {
    await deleteDataRecord(context, params.data_type_id, params.record_id);
    return { status: 'deleted' as const };
  },
});

const retire = records.act('/{record_id}/retire', {
  operationId: 'retireDataRecord',
  summary: 'Retire a data record',
  description:
    "A retired record is removed from lists, no longer counts where a type allows one record per member, and cannot be changed, but can still be read. For the caller's own records that the caller may change, or any with the permission records:write or data:write:<slug>. Retiring a retired record changes nothing.",
  body: RetireDataRecordRequest,
  example: { params: { record_id: demo.recordToRetire }, body: { reason: 'Entered twice' } },
  response: DataRecordResponse,
  ifMatch,
  handler: async ({ context, params, body }) =>
    presentDataRecord(await retireDataRecord(context, params.data_type_id, params.record_id, body.reason)),
});

const restore = records.act('/{record_id}/restore', {
  operationId: 'restoreDataRecord',
  summary: 'Restore a retired data record',
  example: { params: { record_id: demo.recordToRestore } },
  response: DataRecordResponse,
  ifMatch,
  errors: {
    409: 'The member already has another record, in a type with one record per member; or another record has one of its unique values.',
  },
  handler: async ({ context, params }) =>
    presentDataRecord(await restoreDataRecord(context, params.data_type_id, params.record_id)),
});

export const recordRoutes = [
  listRoute,
  create,
  updateByExternalId,
  get,
  update,
  remove,
  retire,
  restore,
  importRecords,
  ...exportRoutes,
];
